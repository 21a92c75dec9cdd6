import { fleet } from '../fleet/operations.ts';
import { gate } from '../gate/operations.ts';
import type { Module } from '../kernel/operation.ts';
import { phase } from '../phase/operations.ts';
import { upstream } from '../upstream/operations.ts';
import { work } from '../work/operations.ts';

const modules: readonly Module[] = [gate, upstream, fleet, work, phase];

/** Every operation, resource and prompt of every module, in the order in which they are listed. */
export const catalog: Module = {
  operations: modules.flatMap((one) => one.operations),
  resources: modules.flatMap((one) => one.resources),
  prompts: modules.flatMap((one) => one.prompts),
  promptsFor: async (context) =>
    (await Promise.all(modules.map(async (one) => (await one.promptsFor?.(context)) ?? []))).flat(),
};
