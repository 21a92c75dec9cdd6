import { emitEvent } from '../gate/operation/emit-event.ts';
import { getState } from '../gate/operation/get-state.ts';
import { listEvents } from '../gate/operation/list-events.ts';
import { crypto } from '../base/crypto.ts';
import type { JsonObject } from '../base/json-object.ts';
import type { Context } from '../kernel/context.ts';
import { inputOf, optionsOf } from '../surface/terminal/cli.ts';
import type { Command } from './frame/command.ts';
import { performOperation } from './frame/run-operation.ts';

/** `emit_event` with the run's current revision and a new idempotency key. */
export const submit: Command = {
  options: optionsOf(emitEvent),
  usage: 'sekisho submit <event> [files…] [--payload JSON]',
  examples: ['sekisho submit', 'sekisho submit exploration_done notes.md', 'sekisho submit --run-id 01a1e2ae done'],
  async run({ positionals: [event, ...files], options, flags, json }) {
    const given = inputOf(emitEvent, options);
    const name = event ?? given['event_name'];
    const named = { ...(flags.runId !== undefined && { run_id: flags.runId }) };
    if (name === undefined) return performOperation(listEvents, named, flags, { json });
    const input = {
      ...named,
      ...given,
      event_name: name,
      ...(files.length > 0 && { artifact_paths: files }),
      idempotency_key: given['idempotency_key'] ?? crypto().randomUUID(),
    };
    return performOperation(emitEvent, input, flags, { json, complete: withRevision });
  },
};

/** Adds the run's current revision; 0 where the run cannot be read, because the event then says why. */
async function withRevision(context: Context, input: JsonObject): Promise<JsonObject> {
  if (input['expected_revision'] !== undefined) return input;
  const run = typeof input['run_id'] === 'string' ? { run_id: input['run_id'] } : {};
  const state = await getState.run(context, run).catch(() => undefined);
  return { ...input, expected_revision: state?.revision ?? 0 };
}
