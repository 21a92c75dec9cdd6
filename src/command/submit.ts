import { createApp } from '../app/application.ts';
import { configure } from '../app/configure.ts';
import { emitEvent } from '../gate/operation/emit-event.ts';
import { getState } from '../gate/operation/get-state.ts';
import { listEvents } from '../gate/operation/list-events.ts';
import { crypto } from '../base/crypto.ts';
import { invoke } from '../kernel/invoke.ts';
import { inputOf, optionsOf } from '../surface/terminal/cli.ts';
import type { Command, Invocation } from './frame/command.ts';
import { performOperation } from './frame/run-operation.ts';

/** `emit_event` with the run's current revision and a new idempotency key. */
export const submit: Command = {
  options: optionsOf(emitEvent),
  usage: 'sekisho submit <event> [files…] [--payload JSON]',
  examples: ['sekisho submit', 'sekisho submit exploration_done notes.md', 'sekisho submit --run-id 01a1e2ae done'],
  async run(line) {
    const [event, ...files] = line.positionals;
    const { options, flags, json } = line;
    const given = inputOf(emitEvent, options);
    const name = event ?? given['event_name'];
    const named = { ...(flags.runId !== undefined && { run_id: flags.runId }) };
    if (name === undefined) return performOperation(listEvents, named, flags, { json });
    const revision = given['expected_revision'] ?? (await revisionOf(line, named));
    const input = {
      ...named,
      ...given,
      event_name: name,
      ...(files.length > 0 && { artifact_paths: files }),
      ...(revision !== undefined && { expected_revision: revision }),
      idempotency_key: given['idempotency_key'] ?? crypto().randomUUID(),
    };
    return performOperation(emitEvent, input, flags, { json });
  },
};

/** The run's current revision; 0 where the run cannot be read, because the event then says why. */
async function revisionOf({ flags }: Invocation, named: object): Promise<unknown> {
  const app = createApp(await configure(flags));
  try {
    const answer = await invoke(app, await app.context({}), getState, named);
    return answer.ok ? answer.output['revision'] : 0;
  } finally {
    await app.close();
  }
}
