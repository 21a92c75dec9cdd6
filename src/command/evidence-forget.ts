import { forgetEvidence } from '../gate/operation/forget-evidence.ts';
import type { Command } from './frame/command.ts';
import { performOperation } from './frame/run-operation.ts';

export const evidenceForget: Command = {
  options: {},
  usage: 'sekisho evidence forget DIGEST',
  examples: ['sekisho evidence forget 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  run: ({ flags, json, positionals }) =>
    performOperation(forgetEvidence, positionals[0] === undefined ? {} : { digest: positionals[0] }, flags, { json }),
};
