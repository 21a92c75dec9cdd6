import * as z from 'zod';
import { findingLine } from '../definition/finding.ts';
import { fileTrusts } from '../../kernel/trust.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { cutPage, decodeCursor } from '../../kernel/store/page.ts';
import { limitInput } from '../../kernel/store/page-input.ts';
import { listDefinitions } from '../definition/catalogue.ts';
import { cursorInput } from '../shapes.ts';
import { words } from '../words.ts';

export const listProcesses = defineOperation({
  name: 'state_gate.list_processes',
  toolsets: ['gate'],
  effect: 'read',
  summary: words('The processes of which a run can be started, and broken definition files.'),
  input: z.strictObject({ limit: limitInput, cursor: cursorInput }),
  output: z.object({
    processes: z.array(
      z.object({
        process_id: z.string(),
        version: z.string(),
        name: z.string(),
        description: z.string(),
        initial_state: z.string(),
        states: z.array(z.string()),
        events: z.array(z.string()),
        source: z.string(),
        digest: z.string(),
        trust: z.enum(fileTrusts),
        untrusted: z.literal(true).optional(),
      }),
    ),
    broken: z.array(z.object({ file: z.string(), process_id: z.string().nullable(), problems: z.array(z.string()) })),
    next_cursor: z.string().optional(),
  }),
  async run(context, input) {
    const all = await listDefinitions(context);
    const first = new Map<string, (typeof all)[number]>();
    for (const one of all) if (one.id !== undefined && !first.has(one.id)) first.set(one.id, one);
    const usable = [...first.values()].flatMap(({ definition, file, digest, trust }) =>
      definition === undefined ? [] : [{ definition, file, digest, trust }],
    );
    const sorted = usable.toSorted((a, b) => (a.definition.id < b.definition.id ? -1 : 1));
    const after = decodeCursor(input.cursor) ?? '';
    const page = cutPage(
      sorted.filter((one) => one.definition.id > after),
      input.limit,
      (one) => one.definition.id,
    );
    return {
      processes: page.rows.map(({ definition, file, digest, trust }) => ({
        process_id: definition.id,
        version: definition.version,
        name: definition.name,
        description: definition.description,
        initial_state: definition.initial_state,
        states: definition.states.map((state) => state.name),
        events: definition.events.map((event) => event.name),
        source: file,
        digest,
        trust,
        ...(trust === 'never' && { untrusted: true as const }),
      })),
      broken: all
        .filter((one) => one.definition === undefined)
        .map((one) => ({
          file: one.file,
          process_id: one.id ?? null,
          problems: one.findings
            .filter((finding) => finding.severity === 'error')
            .map((finding) => findingLine(finding, context.say)),
        })),
      ...(page.next !== undefined && { next_cursor: page.next }),
    };
  },
});
