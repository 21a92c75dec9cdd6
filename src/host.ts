import { stackOf } from './base/failure.ts';
import { readSurroundings } from './config/load.ts';
import type { FleetContext } from './fleet/fleet-context.ts';
import { runHost } from './fleet/host/run.ts';
import { type Ticket, spawnHost } from './fleet/host/spawn-host.ts';
import { mergeJson } from './setup/merge-json.ts';
import { openBox } from './app/agent-session.ts';
import { newId } from './app/id.ts';
import { runCallback } from './app/callbacks.ts';
import { openProjectStore } from './app/open-store.ts';
import { createLog } from './surface/log.ts';

/** The entry of one agent's host: `sekisho host <agentId>`, told everything else through its stdin. */
async function main(): Promise<void> {
  let told = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) told += String(chunk);
  // Whoever started us died half-way: the agent is still queued, and the next who looks starts another host.
  if (told === '') return;
  const ticket = JSON.parse(told) as Ticket;
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
