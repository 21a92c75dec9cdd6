import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { openHttp, startDaemon } from './http-client.mjs';
import { startPendulum } from './pendulum.mjs';
import { makeProject, personToken } from './project.mjs';
import { openStdio } from './stdio-client.mjs';

const projects = 5;
const identities = 20;
const tasks = 10_000;
const runs = 1000;
const instances = 200;
const longHistory = 10_000;
const agentProgram = path.join(import.meta.dirname, 'fixtures', 'agent.mjs');
const statuses = ['backlog', 'todo', 'done', 'done', 'blocked', 'cancelled', 'done', 'todo', 'done', 'backlog'];

/**
 * A project after years of work, served by a daemon. One of each kind is made by the tools; what is there in thousands is
 * copied from it in the database.
 */
export async function openCrowd(product, quick) {
  const journal = quick ? 100_000 : 1_000_000;
  const roles = [{ id: 'coder', cli: 'command', command: [process.execPath, agentProgram] }];
  const project = makeProject(product, { configuration: { lang: 'en', roles }, definitions: ['note', 'pendulum'] });
  const daemon = await startDaemon(project);
  const openPerson = () => openHttp({ url: daemon.url, token: personToken });
  const passkeys = await makeIdentities(await openPerson(), project);
  importTasks(project);
  const agent = await openStdio(project.mcp, project);
  const made = await makeRuns(agent, project);
  const fleet = await runAgent(agent);
  await agent.close();
  copyRows(project.database(), { ...made, journal });
  // Meanwhile the daemon has closed the connection that was idle.
  const person = await openPerson();
  return {
    project,
    daemon,
    person,
    passkeys,
    fleet,
    ...made,
    size: `${tasks.toLocaleString('en')} tasks, ${runs.toLocaleString('en')} runs, ${journal.toLocaleString('en')} journal rows`,
    async close() {
      person.close();
      await daemon.close();
    },
  };
}

async function makeIdentities(person, { root }) {
  const passkeys = [];
  for (let n = 0; n < projects; n += 1)
    await person.call('create_project', { id: `prj_${n}`, name: `Project ${n}`, working_directory: root });
  for (let n = 0; n < identities; n += 1) {
    const agent_id = `agt_${n}`;
    const { passkey } = await person.call('create_agent', { id: agent_id, name: `Agent ${n}`, ai_type: 'claude' });
    passkeys.push(passkey);
    for (let other = 0; other < projects; other += 1)
      await person.call('assign_agent', { project_id: `prj_${other}`, agent_id });
  }
  person.close();
  return passkeys;
}

function importTasks(project) {
  const lines = Array.from({ length: tasks }, (_, n) =>
    JSON.stringify({
      type: 'task',
      task_id: `tsk_${n}`,
      project_id: `prj_${Math.floor(n / 7) % projects}`,
      title: `Task ${n}`,
      description: 'Something to be done, in a few words that somebody wrote.',
      status: statuses[Math.floor(n / identities) % statuses.length],
      assignee_id: `agt_${n % identities}`,
      depends_on: n % 10 === 1 && n > 100 ? [`tsk_${n - 99}`] : [],
      labels: ['bench'],
      acceptance: ['it is done'],
    }),
  );
  project.runAsPerson(['work', 'import', '-'], lines.join('\n'));
}

/** A note that waits for a person, one that is over, and a run that gets a long history. */
async function makeRuns(agent, { root }) {
  writeFileSync(path.join(root, 'note.md'), 'The note.\n');
  const startNote = async (title, event) => {
    const { run_id } = await agent.call('state_gate.create_run', { process_id: 'note', context: { title } });
    await agent.call('state_gate.emit_event', { run_id, expected_revision: 0, idempotency_key: 'only', ...event });
    return run_id;
  };
  const pendulum = await startPendulum(agent);
  await pendulum.swing();
  const dropped = await startNote('Dropped', { event_name: 'drop' });
  const waiting = await startNote('Waiting', { event_name: 'submit', artifact_paths: ['note.md'] });
  return { longRun: pendulum.run, dropped, waiting };
}

async function runAgent(client) {
  const { groupId } = await client.call('create_group', { description: 'bench' });
  const { agents } = await client.call('run_agents', { groupId, agents: [{ role: 'coder', prompt: '0' }] });
  const [{ agentId }] = agents;
  await client.call('wait_agent', { agentIds: [agentId] });
  return { groupId, agentId };
}

function copyRows(file, { longRun, dropped, waiting, journal }) {
  const db = new DatabaseSync(file, { timeout: 5000 });
  /** Inserts copies of the row that `where` finds, with `i` from 0; `changed` has an expression for each column that differs. */
  const copy = (table, count, where, changed) => {
    const columns = db
      .prepare(`select name from pragma_table_info('${table}')`)
      .all()
      .map(({ name }) => name);
    db.exec(`with recursive n (i) as (select 0 union all select i + 1 from n where i + 1 < ${count})
      insert into ${table} (${columns.join(', ')}) select ${columns.map((name) => changed[name] ?? `old.${name}`).join(', ')}
      from n cross join ${table} as old where ${where}`);
  };
  const numbered = (text) => `old.${text} || printf('-%06d', i)`;
  db.exec('pragma synchronous = off; pragma foreign_keys = off; begin immediate');
  // One run in five waits for a person.
  copy('run', runs / 5, `old.id = '${waiting}'`, { id: numbered('id') });
  copy('run', runs - runs / 5, `old.id = '${dropped}'`, { id: numbered('id') });
  copy('artifact', runs / 5, `old.run_id = '${waiting}'`, { run_id: numbered('run_id') });
  copy('event', longHistory, `old.run_id = '${longRun}'`, {
    id: numbered('id'),
    idempotency_key: numbered('idempotency_key'),
    revision: 'old.revision + 1 + i',
  });
  db.exec(`update run set revision = ${longHistory + 1} where id = '${longRun}'`);
  copy('fleet_agent', instances, 'true', { id: numbered('id'), ord: numbered('ord') });
  // The newest thousand entries, over and over. Every third one is about one run: some go on for weeks.
  const { head } = db.prepare('select max(seq) as head from journal').get();
  copy('journal', journal - head, `old.seq = ${head} - i % 1000`, {
    seq: `${head} + 1 + i`,
    subject: `case i % 3 when 0 then '${longRun}' else old.subject end`,
  });
  db.exec('update sekisho_head set seq = (select max(seq) from journal)');
  db.exec('commit; analyze');
  db.close();
}
