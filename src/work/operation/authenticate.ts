import * as z from 'zod';
import { instanceOf } from '../../kernel/identity.ts';
import type { Context } from '../../kernel/context.ts';
import { entry } from '../../kernel/store/journal.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { again, retry } from '../../kernel/store/retry.ts';
import type { Write } from '../../kernel/store/store.ts';
import { hashToken } from '../../kernel/token.ts';
import { optional, text } from '../../kernel/store/row.ts';
import { actBySession } from '../session/acting.ts';
import { attemptQuery, isLockedOut, refuseTry, tryOf } from '../session/attempts.ts';
import { pairQuery } from '../session/pairs.ts';
import { isPasskey } from '../session/passkey.ts';
import { afterSession, makeSessionToken, sessionKeyOf } from '../session/sessions.ts';
import { agentIdInput, projectIdInput, success } from '../shapes.ts';
import { phrase, problem } from '../problem.ts';
import { settings } from '../settings.ts';
import { described, words } from '../words.ts';

export const authenticate = defineOperation({
  name: 'authenticate',
  toolsets: ['work'],
  effect: 'write',
  summary: words(
    'Open an agent’s session in a project: returns session_token, system_prompt and what to do next. Call it first.',
  ),
  example: '--agent-id agt_developer --passkey … --project-id prj_frontend',
  input: z.strictObject({
    agent_id: agentIdInput,
    passkey: described(z.string().optional(), 'The agent’s passkey; left out where the server has AGENT_PASSKEY'),
    project_id: projectIdInput,
  }),
  output: z.object({
    success,
    session_token: z.string(),
    expires_in: z.number(),
    agent_name: z.string(),
    project_name: z.string(),
    system_prompt: z.string(),
    instruction: z.string(),
  }),
  async run(given, input) {
    const context = actBySession(given, input.agent_id);
    const one = tryOf(given, input.agent_id);
    const [[agent] = [], [attempt] = []] = await context.store.read([
      { sql: 'select * from work_agent where id = :id', args: { id: input.agent_id } },
      attemptQuery(one),
    ]);
    const passkey = input.passkey ?? ownPasskey(context, input.agent_id);
    const isRight = await isPasskey(passkey ?? '', agent === undefined ? undefined : text(agent, 'passkey'));
    const isLocked = isLockedOut(context, attempt);
    // The journal names the caller (`given`), not the agent that it failed to prove.
    if (!isRight && !isLocked) await refuseTry(given, one, attempt, input.project_id);
    if (!isRight || isLocked || agent === undefined) throw problem.INVALID_CREDENTIALS();
    const token = makeSessionToken();
    const proved = { id: input.agent_id, passkey: text(agent, 'passkey') };
    const project = await retry(
      () => open(context, proved, input.project_id, token, one),
      () => problem.ALREADY_RUNNING(),
    );
    return {
      success: true as const,
      session_token: token,
      expires_in: settings.of(context).work.sessionSeconds,
      agent_name: text(agent, 'name'),
      project_name: project,
      system_prompt: text(agent, 'system_prompt'),
      instruction: context.say(phrase.instructionAuthenticated()),
    };
  },
});

function ownPasskey(context: Context, agentId: string): string | undefined {
  const instance = instanceOf(context);
  return instance === undefined || instance.agentId === agentId ? settings.of(context).work.ownPasskey : undefined;
}

/** Opens the session. Returns the project's name. */
async function open(
  context: Context,
  { id: agentId, passkey }: { readonly id: string; readonly passkey: string },
  projectId: string,
  token: string,
  one: { readonly agent: string; readonly connection: string },
): Promise<string | typeof again> {
  const now = context.now();
  const at = now.toISOString();
  const [[pair] = [], [project] = []] = await context.store.read([
    pairQuery(agentId, projectId),
    { sql: 'select name from work_project where id = :id', args: { id: projectId } },
  ]);
  if (pair === undefined || project === undefined) throw problem.INVALID_CREDENTIALS();
  const old = optional(pair, 'session');
  if (old !== null && text(pair, 'session_expires_at') > at) throw problem.ALREADY_RUNNING();
  const claimedUntil = pair['claim'] === null ? null : optional(pair, 'claim_expires_at');
  const claim = claimedUntil !== null && claimedUntil > at ? text(pair, 'claim') : null;
  const hash = hashToken(token);
  const sessionMs = settings.of(context).work.sessionSeconds * 1000;
  const connection = context.connection?.id ?? null;
  const outcome = await context.store.commit(
    [
      sameCredentialWrite(agentId, passkey),
      {
        sql: `update work_assignment set session = :hash, session_expires_at = :until
          where agent_id = :agent and project_id = :project and (session is null or session_expires_at <= :at)`,
        args: {
          hash,
          agent: agentId,
          project: projectId,
          at,
          // The host of a hosted session renews it.
          until: claim === null ? new Date(now.getTime() + sessionMs).toISOString() : (claimedUntil ?? at),
        },
        rows: 1,
      },
      {
        sql: `insert into work_session (hash, agent_id, project_id, connection, claim, created_at)
          values (:hash, :agent, :project, :connection, :claim, :at)`,
        args: { hash, agent: agentId, project: projectId, connection, claim, at },
        rows: 1,
      },
      { sql: 'delete from work_attempt where agent_id = :agent and connection = :connection', args: { ...one } },
      ...(old === null
        ? []
        : afterSession(sessionKeyOf(pair), { at: text(pair, 'session_expires_at'), reason: 'expired' })),
    ],
    [entry(context, agentId, 'session.started', { project: projectId, claim })],
  );
  if (outcome.done) return text(project, 'name');
  if (outcome.conflict === 0) throw problem.INVALID_CREDENTIALS();
  return again;
}

/** Makes the commit a conflict if the passkey was rotated or the agent deactivated while the passkey was checked. */
function sameCredentialWrite(agentId: string, passkey: string): Write {
  return {
    sql: `update work_agent set passkey = passkey where id = :agent and passkey = :passkey and status = 'active'`,
    args: { agent: agentId, passkey },
    rows: 1,
  };
}
