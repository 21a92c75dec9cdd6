import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '../../../kernel/context.ts';
import { Problem } from '../../../kernel/problem.ts';
import { type SourceAnswer, type CacheRow, claimFetch, readCache, settleFetch } from '../cache.ts';
import type { PhaseSettings } from '../../settings.ts';
import type { Loaded } from '../../prompt/prompt.ts';
import type { Source } from '../source.ts';
import { askForNames, askForPrompt, publicUrl, requestTimeoutMs } from '../request.ts';
import { phrase, problem } from '../../problem.ts';

/** Longest wait for a fresh text when a stale one is cached. A later answer serves the next caller. */
const patienceMs = 500;
/** Pause after a failure of the source before it is asked again, if a text is cached. */
const restMs = 2000;
/** Lifetime of a claim: after it, another process asks in place of one that died. */
const claimMs = requestTimeoutMs + 1000;

type Outcome = (SourceAnswer & { readonly at: string }) | { readonly kind: 'taken' };

/** The requests in flight, one per prompt in this process; the claim in the store limits other processes. */
const flights = new Map<string, Promise<Outcome>>();

/** A prompt API over HTTP, behind a cache that every process of this store shares. */
export function apiSource(settings: PhaseSettings): Source {
  const id = publicUrl(settings.source ?? '');
  return {
    id,
    remedy: 'server',
    load: (context, name) => load({ context, settings, id, name }),
    title: async (context, name) => (await readCache(context, id, name)).prompt?.title,
    names: (context) => askForNames(context, settings),
  };
}

interface ApiQuestion {
  readonly context: Context;
  readonly settings: PhaseSettings;
  readonly id: string;
  readonly name: string;
}

async function load(question: ApiQuestion): Promise<Loaded | undefined> {
  const { context, settings, id, name } = question;
  const asked = context.now();
  const row = await readCache(context, id, name);
  if (row.prompt === undefined) return loadCold(question, row, asked.toISOString());
  const age = asked.getTime() - Date.parse(row.checkedAt);
  if (age < settings.cacheTtl) return fromCache(question, row);
  context.log.warn('Prompt cache expired', { phase: name, age });
  const rested = row.failure === undefined || asked.getTime() - Date.parse(row.failedAt) >= restMs;
  if (!rested || row.until > asked.toISOString()) return fromCache(question, row);
  const outcome = await Promise.race([
    ask(question, row),
    delay(patienceMs, { kind: 'slow' } as const, { ref: false }),
  ]);
  switch (outcome.kind) {
    case 'new':
      return { ...outcome.prompt, fetchedAt: outcome.at, cached: false };
    case 'gone':
      return undefined;
    case 'down':
      return fromCache(question, { ...row, failure: outcome.reason });
    case 'same':
      return fromCache(question, { ...row, failure: undefined });
    case 'slow':
    case 'taken':
      return fromCache(question, row);
  }
}

function fromCache({ context, id }: ApiQuestion, row: CacheRow): Loaded | undefined {
  if (row.prompt === undefined) return undefined;
  if (row.failure === undefined) return { ...row.prompt, fetchedAt: row.fetchedAt, cached: true };
  const warning = context.say(phrase.promptStale({ source: id, reason: row.failure, since: row.checkedAt }));
  context.log.warn('prompt source is down', { source: id, prompt: row.prompt.name, reason: row.failure });
  return { ...row.prompt, fetchedAt: row.fetchedAt, cached: true, warning };
}

/** Loads a prompt that is not cached: asks the source, or waits for the answer to another process. */
async function loadCold(question: ApiQuestion, first: CacheRow, asked: string): Promise<Loaded | undefined> {
  const { context, id, name } = question;
  const deadline = Date.now() + 2 * claimMs;
  for (let row = first, pause = 10; ; pause = Math.min(100, pause * 1.5)) {
    context.signal.throwIfAborted();
    if (row.prompt !== undefined) return { ...row.prompt, fetchedAt: row.fetchedAt, cached: row.fetchedAt < asked };
    if (row.failure !== undefined && row.failedAt >= asked) {
      if (row.failure === 'gone') return undefined;
      throw unreachable(context, name, id, row.failure);
    }
    const free = row.until <= context.now().toISOString();
    const outcome: Outcome = free ? await ask(question, row) : { kind: 'taken' };
    if (outcome.kind === 'new') return { ...outcome.prompt, fetchedAt: outcome.at, cached: false };
    if (outcome.kind === 'gone') return undefined;
    if (outcome.kind === 'down') throw unreachable(context, name, id, outcome.reason);
    if (Date.now() > deadline) throw unreachable(context, name, id, context.say(phrase.noAnswer()));
    await delay(pause * (0.5 + Math.random()));
    row = await readCache(context, id, name);
  }
}

function ask(question: ApiQuestion, row: CacheRow): Promise<Outcome> {
  const key = `${question.context.store.location}\n${question.id}\n${question.name}`;
  const known = flights.get(key);
  if (known !== undefined) return known;
  const flight = askOnce(question, row).finally(() => flights.delete(key));
  // The caller may have stopped waiting, so the rejection needs a handler.
  flight.catch((error: unknown) => question.context.log.debug('asking for a prompt failed', { reason: String(error) }));
  flights.set(key, flight);
  return flight;
}

async function askOnce({ context, settings, id, name }: ApiQuestion, row: CacheRow): Promise<Outcome> {
  const owner = context.newId('ask-');
  const until = new Date(context.now().getTime() + claimMs).toISOString();
  if (!(await claimFetch(context, id, name, row, owner, until))) return { kind: 'taken' };
  const answer = await askForPrompt(context, settings, name, row.prompt === undefined ? undefined : row.etag);
  return { ...answer, at: await settleFetch(context, id, name, owner, answer) };
}

function unreachable({ log }: Context, prompt: string, url: string, reason: string): Problem {
  log.error('Failed to fetch prompt', { phase: prompt, error: reason });
  return problem.CLOUD_API_ERROR({ reason }, { phase: prompt, url, reason });
}
