import * as z from 'zod';
import { fileTrusts } from '../../kernel/trust.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { findDefinition } from '../definition/catalogue.ts';
import { commandsOf } from '../definition/trust.ts';
import { describeGraph, graphOutput } from '../view/describe-graph.ts';
import { described, words } from '../words.ts';

export const describeProcess = defineOperation({
  name: 'describe_process',
  toolsets: ['admin'],
  effect: 'read',
  summary: words(
    'The definition of a process: states, transitions, guards, the programs that it would run, and whether it is trusted.',
  ),
  example: '--process-id release',
  input: z.strictObject({ process_id: described(z.string(), 'Process ID') }),
  output: z.object({
    process_id: z.string(),
    version: z.string(),
    name: z.string(),
    description: z.string(),
    source: z.string(),
    digest: z.string(),
    trust: z.enum(fileTrusts),
    is_shipped: z.boolean(),
    commands: described(z.array(z.string()).readonly(), 'Programs that its guards run'),
    findings: described(
      z.array(
        z.object({
          severity: z.enum(['error', 'warning']),
          line: z.number(),
          column: z.number(),
          code: z.string(),
          message: z.string(),
          remedy: z.string(),
        }),
      ),
      'Lint findings of the file',
    ),
    ...graphOutput,
  }),
  async run(context, { process_id: id }) {
    const found = await findDefinition(context, id);
    const { definition, file, digest, trust, shipped, findings } = found;
    return {
      process_id: definition.id,
      version: definition.version,
      name: definition.name,
      description: definition.description,
      source: file,
      digest,
      trust,
      is_shipped: shipped,
      commands: commandsOf(found),
      findings: findings.map(({ severity, line, column, code, message, remedy }) => ({
        severity,
        line,
        column,
        code,
        message: context.say(message),
        remedy: context.say(remedy),
      })),
      ...describeGraph(definition),
    };
  },
});
