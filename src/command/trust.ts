import type { Command } from './command.ts';
import { trust as trustOperation } from '../gate/operation/trust.ts';
import { performOperation } from './run-operation.ts';

export const trust: Command = {
  options: { yes: { type: 'boolean', short: 'y' } },
  usage: 'sekisho trust [file]',
  examples: ['sekisho trust', 'sekisho trust .sekisho/processes/hotfix.yaml'],
  run: ({ flags, json, options, positionals }) =>
    performOperation(trustOperation, positionals[0] === undefined ? {} : { file: positionals[0] }, flags, {
      json,
      yes: options['yes'] === true,
    }),
};
