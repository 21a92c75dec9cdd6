import { stackOf } from './base/failure.ts';
import { readSurroundings } from './config/load.ts';
import type { FleetContext } from './fleet/fleet-context.ts';
import { runHost } from './fleet/host/run.ts';
import { type Ticket, spawnHost } from './fleet/host/spawn-host.ts';
import { mergeJson } from './setup/merge-json.ts';
import { dataFolder } from './config/data-folder.ts';
import { confineFor } from './sandbox/confine.ts';
import { openBox } from './app/agent-session.ts';
import { newId } from './app/id.ts';
import { runCallback } from './app/callbacks.ts';
import { openProjectStore } from './app/open-store.ts';
import { createLog } from './surface/log.ts';

/** The entry point of an agent's host: `sekisho host <agentId>`. The ticket on stdin has everything else. */
async function main(): Promise<void> {
  let input = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) input += String(chunk);
  // Our starter died before it wrote the ticket. The agent is still queued, and the next check starts another host.
  if (input === '') return;
  const ticket = JSON.parse(input) as Ticket;
  const store = await openProjectStore(ticket.state, ticket.db);
  const now = () => store.now();
  const environment = readSurroundings().env;
  const context: FleetContext = {
    store,
    now,
    newId,
    callback: runCallback,
    environment,
    log: createLog(1, (line) => process.stderr.write(line), now),
    say: (sentence) => sentence(ticket.lang),
    actor: { role: 'system', id: `host:${ticket.agentId}`, verified: true, person: false },
    launch: (agentId) => spawnHost({ agentId, db: ticket.db, lang: ticket.lang, state: ticket.state }, environment),
  };
  const report = () => Promise.resolve();
  const watch = { by: ticket.agentId, report };
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
  let early: string | undefined;
  let listener = (name: string): void => {
    early = name;
  };
  for (const name of signals) process.on(name, () => listener(name));
  await runHost(context, ticket, {
    env: environment,
    openBox,
    mergeSettings: mergeJson,
    confine: (place, sandbox) => confineFor({ ...place, data: dataFolder(environment) }, sandbox, watch),
    onSignal(next) {
      listener = next;
      if (early !== undefined) next(early);
    },
  });
  await store.close();
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${stackOf(error)}\n`);
    process.exit(70);
  },
);
