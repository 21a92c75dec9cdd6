import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeProject } from './project.mjs';
import { startWorker } from './worker-client.mjs';

/** A note that a person has to approve. */
const definition = `process: { id: note, version: "1", name: Note, initial_state: write }
states: [{ name: write }, { name: review }, { name: done, is_final: true }, { name: dropped, is_final: true }]
events:
  - { name: submit, allowed_roles: [agent] }
  - { name: drop, allowed_roles: [agent] }
  - { name: approve, allowed_roles: [reviewer] }
  - { name: reject, allowed_roles: [reviewer] }
transitions:
  - { from: write, event: submit, to: review, guard: has_note }
  - { from: write, event: drop, to: dropped }
  - { from: review, event: approve, to: done, guard: approved }
  - { from: review, event: reject, to: write }
guards:
  has_note: { type: artifact, artifact_type: note, condition: exists }
  approved: { type: approval, role: reviewer, event: approve, min_count: 1 }
artifacts: [{ type: note, path: note.md }]
roles:
  - { name: agent, allowed_events: [submit, drop] }
  - { name: reviewer, allowed_events: [approve, reject], can_approve: true, can_reject: true }
`;

/** A project after years of work, and its runs. */
export async function makeCrowd(product, crowd, db) {
  const project = makeProject(db);
  writeFileSync(path.join(project.root, '.sekisho', 'processes', 'note.yaml'), definition);
  writeFileSync(path.join(project.root, 'note.md'), 'The note.\n');
  const worker = await startWorker(product, { cwd: project.root, env: project.env });
  const runs = await worker.ask('fill', { host: process.pid, ...crowd });
  await worker.close();
  return { project, runs };
}
