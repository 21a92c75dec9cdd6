import { resumeAgents } from '../fleet/operation/resume-agents.ts';
import type { Command } from './frame/command.ts';
import { performOperation } from './frame/run-operation.ts';

export const resume: Command = {
  options: {},
  usage: 'sekisho resume',
  examples: ['sekisho resume'],
  run: ({ flags, json }) => performOperation(resumeAgents, {}, flags, { json }),
};
