import type { Command } from './frame/command.ts';
import { trust as trustOperation } from '../gate/operation/trust.ts';
import { performOperation } from './frame/run-operation.ts';

export const trust: Command = {
  options: {},
  usage: 'sekisho trust [files…]',
  examples: ['sekisho trust', 'sekisho trust .sekisho/processes/hotfix.yaml'],
  run: ({ flags, json, positionals }) =>
    performOperation(trustOperation, positionals.length === 0 ? {} : { files: positionals }, flags, { json }),
};
