import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { temporaryFolder } from './clean-up.mjs';

export const configuration = `lang: en
processes: [.sekisho/processes]
hook: { fail: auto }
http: { host: 127.0.0.1, port: 9696 }
`;

/** Two states that hand a run back and forth for ever: a payload that is validated, a context that is merged, a guard. */
const definition = `process:
  id: pendulum
  version: "1.0.0"
  name: Pendulum
  description: There and back again
  initial_state: left
  initial_context: { n: 0 }
states:
  - name: left
    description: On the left
    prompt: "Swing to the right; this was swing {context.n}."
    tool_permissions: { denied: [Bash] }
  - name: right
    description: On the right
    prompt: "Swing to the left; this was swing {context.n}."
  - name: stopped
    description: Over
    is_final: true
events:
  - name: swing
    description: To the other side
    payload_schema: { type: object, required: [n], properties: { n: { type: integer }, note: { type: string } } }
  - { name: stop, description: No more }
transitions:
  - { from: left, event: swing, to: right, guard: has_number }
  - { from: right, event: swing, to: left, guard: has_number }
  - { from: left, event: stop, to: stopped }
guards:
  has_number: { type: context, variable: n, condition: exists, description: The swing has a number }
`;

export const processId = 'pendulum';

/** A project as a user has it, in a folder of its own. */
export function makeProject(db) {
  const folder = temporaryFolder(path.join(tmpdir(), 'sekisho-bench-'));
  const root = path.join(folder, 'project');
  mkdirSync(path.join(root, '.sekisho', 'processes'), { recursive: true });
  writeFileSync(path.join(root, '.sekisho', 'config.yaml'), configuration);
  writeFileSync(path.join(root, '.sekisho', 'processes', 'pendulum.yaml'), definition);
  const location = db ?? path.join(folder, 'sekisho.db');
  return {
    root,
    db: location,
    // Nothing of the surroundings leaks in: an agent's markers would change who the client is.
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      LANG: 'C',
      LOG_LEVEL: 'error',
      XDG_DATA_HOME: path.join(folder, 'data'),
      SEKISHO_DB: location,
    },
  };
}

/** A person's token, which the first process that has it in its environment makes valid. */
export const personToken = 'the-token-of-the-person-at-the-bench';
export const person = { SEKISHO_PERSON_TOKEN: personToken, SEKISHO_TOKEN: personToken };

/** A configuration counts only when a person has looked at it. */
export function configure(project, product, text) {
  writeFileSync(path.join(project.root, '.sekisho', 'config.yaml'), text);
  const { status, stdout, stderr } = spawnSync(process.execPath, [product.bin, 'trust', '--json'], {
    cwd: project.root,
    env: { ...project.env, ...person },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stdout + stderr);
}

let keys = 0;

export function swing(runId, revision) {
  keys += 1;
  return {
    run_id: runId,
    event_name: 'swing',
    payload: { n: revision, note: 'there and back again' },
    expected_revision: revision,
    idempotency_key: `bench-${process.pid}-${keys}`,
  };
}
