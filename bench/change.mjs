import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { timed } from './statistics.mjs';

const documents = {
  'exploration.md': 'The values are spread over sixty files; the change affects some of them.\n',
  'plan.md': '## Steps\nChange a value in each file that matters.\n## Checks\nThe tests of the project.\n',
};

/**
 * A run of explore-plan-implement-verify in the state "implement", and the two events that go on for ever from there.
 * `submit` hands in changes.md with a changed work tree, `rework` has only a payload. Both answer milliseconds.
 */
export async function startChange(client, { root }) {
  const { run_id: run } = await client.call('state_gate.create_run', { process_id: 'explore-plan-implement-verify' });
  let revision = 0;
  async function emit(event_name, evidence) {
    const input = { run_id: run, event_name, expected_revision: revision, idempotency_key: `key-${revision}` };
    const taken = await timed(async () => {
      const { result } = await client.call('state_gate.emit_event', { ...input, ...evidence });
      if (!result.moved) throw new Error(`${event_name} did not move the run: ${result.missing_guards}`);
    });
    revision += 1;
    return taken;
  }
  for (const [event, file] of [
    ['submit_exploration', 'exploration.md'],
    ['submit_plan', 'plan.md'],
  ]) {
    writeFileSync(path.join(root, file), documents[file]);
    await emit(event, { artifact_paths: [file] });
  }
  return {
    run,
    submit() {
      appendFileSync(path.join(root, 'src', `file-${revision % 60}.ts`), `export const again = ${revision};\n`);
      writeFileSync(
        path.join(root, 'changes.md'),
        `At revision ${revision} another value was changed, as the plan says.\n`,
      );
      return emit('submit_changes', { artifact_paths: ['changes.md'] });
    },
    rework: () => emit('rework', { payload: { reason: 'one more value has to change' } }),
  };
}
