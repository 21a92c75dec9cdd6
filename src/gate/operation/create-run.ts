import * as z from 'zod';
import { actorName } from '../../kernel/journal.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { Problem } from '../../kernel/problem.ts';
import { findDefinition } from '../catalog.ts';
import { canonical, chainStart, chained, sha256 } from '../chain.ts';
import { findState } from '../definition.ts';
import { validateJson } from '../json-schema.ts';
import { statePrompt } from '../prompt.ts';
import { permissionsSchema } from '../shapes.ts';

export const createRun = defineOperation({
  name: 'state_gate.create_run',
  toolsets: ['gate'],
  effect: 'write',
  summary: 'Start a run of a process. It becomes the current run of the project where none is open.',
  example: '--process-id explore-plan-implement-verify --context \'{"goal":"…"}\'',
  input: z.strictObject({
    process_id: z.string().describe('Which process; list_processes shows them'),
    context: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Values that the run starts with, beside the definition’s own'),
  }),
  output: z.object({
    run_id: z.string(),
    process_id: z.string(),
    process_version: z.string(),
    current_state: z.string(),
    current_state_prompt: z.string().nullable(),
    tool_permissions: permissionsSchema,
    revision: z.number(),
    context: z.record(z.string(), z.unknown()),
    is_final: z.boolean(),
    is_current: z.boolean(),
    created_at: z.string(),
  }),
  async run(context, input) {
    const { definition, digest, file } = await findDefinition(context, input.process_id);
    const start = { ...definition.initial_context, ...input.context };
    if (definition.context_schema !== undefined) {
      const errors = validateJson(definition.context_schema, start);
      if (errors.length > 0) throw new Problem('INVALID_PAYLOAD', { errors }, { validation_errors: errors });
    }
    const state = findState(definition, definition.initial_state);
    const id = context.newId('run-');
    const at = context.now().toISOString();
    const body = JSON.stringify(start);
    const link = chained(
      chainStart,
      { at, actor: actorName(context.actor), subject: id, kind: 'run.created' },
      {
        process: definition.id,
        version: definition.version,
        definition: digest,
        state: definition.initial_state,
        revision: 0,
        context: sha256(canonical(start)),
      },
    );
    const final = state?.is_final === true ? 1 : 0;
    const outcome = await context.store.commit(
      [
        {
          sql: `insert into definition (digest, process_id, version, name, source, body, at)
            values (:digest, :process, :version, :name, :source, :body, :at) on conflict (digest) do nothing`,
          args: {
            digest,
            process: definition.id,
            version: definition.version,
            name: definition.name,
            source: file,
            body: JSON.stringify(definition),
            at,
          },
        },
        {
          sql: `insert into run (id, project, process_id, process_version, definition, state, revision, context, visited, entered, evidence, is_final, chain, created_at, updated_at)
            values (:id, :project, :process, :version, :digest, :state, 0, :context, '[]', 0, 0, :final, :chain, :at, :at)`,
          args: {
            id,
            project: context.project.key,
            process: definition.id,
            version: definition.version,
            digest,
            state: definition.initial_state,
            context: body,
            final,
            chain: link.hash,
            at,
          },
          rows: 1,
        },
        {
          sql: `insert into current_run (project, run_id) values (:project, :id) on conflict (project) do update set run_id = excluded.run_id
            where exists (select 1 from run where run.id = current_run.run_id and run.is_final = 1)`,
          args: { project: context.project.key, id },
        },
      ],
      [link.entry],
    );
    if (!outcome.done) throw new Error(`run ${id} already exists`);
    const [rows = []] = await context.store.read([
      { sql: 'select run_id from current_run where project = :project', args: { project: context.project.key } },
    ]);
    return {
      run_id: id,
      process_id: definition.id,
      process_version: definition.version,
      current_state: definition.initial_state,
      current_state_prompt: statePrompt(definition, definition.initial_state, start),
      tool_permissions: state?.tool_permissions ?? null,
      revision: 0,
      context: start,
      is_final: final === 1,
      is_current: rows[0]?.['run_id'] === id,
      created_at: at,
    };
  },
});
