import { gate } from './gate/operations.ts';
import type { Module } from './kernel/operation.ts';

const modules: readonly Module[] = [gate];

/** Every operation, resource and prompt of every module, in the order in which they are listed. */
export const catalog: Module = {
  operations: modules.flatMap((one) => one.operations),
  resources: modules.flatMap((one) => one.resources),
  prompts: modules.flatMap((one) => one.prompts),
};
