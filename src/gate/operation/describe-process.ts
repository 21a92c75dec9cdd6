import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { findDefinition } from '../definition/catalogue.ts';
import { commandsOf } from '../definition/trust.ts';
import { describeGraph, graphOutput } from '../view/describe-graph.ts';
import { told } from '../../kernel/text/described.ts';

export const describeProcess = defineOperation({
  name: 'describe_process',
  toolsets: ['admin'],
  effect: 'read',
  summary: {
    en: 'A process as it is defined: states, transitions, guards, the programs that it would run, and its trust.',
    ja: 'プロセスの定義です。状態、遷移、ガード、実行するプログラム、信頼の状態を示します。',
  },
  example: '--process-id release',
  input: z.strictObject({ process_id: told(z.string(), { en: 'Which process', ja: 'プロセスの ID' }) }),
  output: z.object({
    process_id: z.string(),
    version: z.string(),
    name: z.string(),
    description: z.string(),
    source: z.string(),
    digest: z.string(),
    trust: z.enum(['trusted', 'changed', 'removed', 'never']),
    is_shipped: z.boolean(),
    commands: told(z.array(z.string()).readonly(), {
      en: 'Programs that its guards run',
      ja: 'ガードが実行するプログラム',
    }),
    findings: told(
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
      { en: 'What the check says of the file', ja: 'ファイルの検査結果' },
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
