import { basename } from 'node:path';
import type { Author } from '../kernel/store/journal.ts';
import type { Principal } from '../kernel/principal.ts';
import type { Store } from '../kernel/store/store.ts';
import { version } from '../base/version.ts';
import type { Caller, Door } from '../surface/http/api.ts';
import { type ListedToken, listPeople, listPersonTokens } from '../user/person.ts';
import {
  type RemovedPerson,
  type RevokedToken,
  refuseRemoval,
  removePerson,
  revokePersonToken,
} from '../user/revoke.ts';
import { type ListedSession, endSession, findSession, listSessions, openSession, problem } from '../user/session.ts';

export interface DashboardLoginOptions {
  readonly users: Store;
  readonly user: string;
  readonly now: () => Date;
  readonly roots: () => readonly string[];
}

export interface UserAnswers {
  readonly list_roots: { readonly roots: readonly { readonly path: string; readonly name: string }[] };
  readonly get_session: {
    readonly identity: string;
    readonly name: string;
    readonly session: string | null;
    readonly version: string;
  };
  readonly list_sessions: { readonly sessions: readonly (ListedSession & { readonly is_this: boolean })[] };
  readonly list_people: { readonly people: readonly string[]; readonly tokens: readonly ListedToken[] };
  readonly revoke_token: RevokedToken;
  readonly remove_person: RemovedPerson;
  readonly revoke_session: { readonly revoked: string };
  readonly sign_out: { readonly signed_out: true };
}

type Calls = {
  readonly [N in keyof UserAnswers]: (
    caller: Caller,
    input: Readonly<Record<string, unknown>>,
  ) => Promise<UserAnswers[N]>;
};

/** A login link. The code is in the fragment, which browsers never send to a server. */
export function linkTo(url: string, code: string): string {
  return `${url}/open#${code}`;
}

/** Creates the dashboard's login, with the calls that concern no project. */
export function createDashboardLogin({ users, user, now, roots }: DashboardLoginOptions): Door {
  const calls: Calls = {
    list_roots: async () => ({ roots: roots().map((path) => ({ path, name: basename(path) })) }),
    get_session: async ({ principal, session }) => ({
      identity: principal.identity,
      name: principal.identity.replace(/^(os|person):/, ''),
      session: session ?? null,
      version,
    }),
    list_sessions: async ({ session }) => ({
      sessions: (await listSessions(users, now())).map((one) => ({ ...one, is_this: one.id === session })),
    }),
    list_people: async () => ({ people: await listPeople(users), tokens: await listPersonTokens(users) }),
    revoke_token: async ({ principal }, { id, sessions }) =>
      revokePersonToken(users, author(principal), typeof id === 'string' ? id : '', { endSessions: sessions === true }),
    remove_person: async ({ principal }, { name }) => {
      const named = typeof name === 'string' ? name : '';
      await refuseRemoval(users, named, user);
      return removePerson(users, author(principal), named);
    },
    revoke_session: async ({ principal }, { id }) => {
      const named = typeof id === 'string' ? id : '';
      await endSession(users, author(principal), named);
      return { revoked: named };
    },
    sign_out: async ({ principal, session }) => {
      if (session === undefined) throw problem.SESSION_NOT_FOUND({ id: '-' });
      await endSession(users, author(principal), session);
      return { signed_out: true };
    },
  };
  const author = (principal: Principal): Author => ({
    actor: { role: principal.role, id: principal.identity, verified: true, person: principal.person },
    project: { key: 'user' },
    now,
  });
  return {
    signIn: (code, browser) => openSession(users, code, browser, now()),
    find: (given) => findSession(users, given, now()),
    calls,
  };
}
