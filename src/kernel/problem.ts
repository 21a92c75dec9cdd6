import {
  type English,
  type Japanese,
  type Lang,
  type Params,
  type ParamsOf,
  type Reason,
  type Sentence,
  type Text,
  definePhrases,
  inLang,
  mapTexts,
  sentence,
} from './text/text.ts';
import { projectAddress } from './text/list.ts';
import * as ja from './ja.ts';

export type Details = Readonly<Record<string, unknown>>;

export interface FieldError {
  readonly path: string;
  readonly message: string;
}

/** A failure that the caller can act on; it brings its own text. Anything else that is thrown is a bug. */
export class Problem<P = unknown> extends Error {
  override readonly name = 'Problem';
  readonly code: string;
  readonly params: P;
  /** The `details` of the error envelope. */
  readonly details: Details | undefined;
  readonly #text: object;
  readonly #sentence: Sentence;

  constructor(code: string, text: Text<P>, params: P, details?: Details) {
    super(code);
    this.code = code;
    this.#text = text;
    this.#sentence = sentence(text, params);
    this.params = params;
    this.details = details;
  }

  in(lang: Lang): string {
    return this.#sentence(lang);
  }

  /** Whether it has this text. A code can have several texts, one per reason. */
  says(text: object): boolean {
    return this.#text === text;
  }
}

/** The factory of one code, or of one reason for it. `is` recognizes its problems. */
export interface ProblemOf<P> {
  readonly code: string;
  readonly text: Text<P>;
  (...given: [...Params<P>, details?: Details]): Problem<P>;
  is(error: unknown): error is Problem<P>;
}

export type Problems<P = unknown> = { readonly [C in keyof P]: ProblemOf<P[C]> };

/** The codes of a module with their texts. `throw problem.GROUP_NOT_FOUND({ groupId })`. */
export function defineProblems<E extends English>(english: E, japanese: Japanese<E>) {
  return mapTexts(english, japanese, (text, code) => problemOf(code, text)) as ProblemsOf<E>;
}

/** Reasons for one code, `FORBIDDEN`. `throw refusal.report({ identity, agentId })`. */
export function defineRefusals<E extends English>(english: E, japanese: Japanese<E>) {
  return mapTexts(english, japanese, (text) => problemOf('FORBIDDEN', text)) as ProblemsOf<E>;
}

type ProblemsOf<E extends English> = { readonly [C in keyof E]: ProblemOf<ParamsOf<E[C]>> };

export function isProblem(error: unknown): error is Problem {
  return error instanceof Problem;
}

/** Waits for a value; undefined if a problem is thrown instead. */
export async function valueUnlessProblem<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (isProblem(error)) return undefined;
    throw error;
  }
}

function problemOf(code: string, text: Text<unknown>) {
  const make = (params: unknown, details?: Details) => new Problem(code, text, params, details);
  return Object.assign(make, { code, text, is: (error: unknown) => isProblem(error) && error.says(text) });
}

export const englishProblem = {
  INTERNAL_ERROR: ({ reference }: { reference: string }) =>
    `This is a bug in Sekisho, not in the request. Please report it with the log entry ${reference}.`,
  VALIDATION_ERROR: ({ errors }: { errors: readonly FieldError[] }) =>
    `The input is not valid. ${errors.map((one) => `${one.path}: ${one.message}`).join('; ')}`,
  UNKNOWN_COMMAND: ({ command, suggestion }: { command: string; suggestion: string | undefined }) =>
    `There is no command "${command}".${suggestion === undefined ? '' : ` Did you mean "${suggestion}"?`} See sekisho --help.`,
  WRONG_USE: ({ usage }: { usage: string }) => `Usage: ${usage}`,
  PROGRAM_MISSING: ({ example }: { example: string }) =>
    `Which program? Name an agent CLI, or any program after --, for example: ${example}`,
  ID_AMBIGUOUS: ({ prefix, ids }: { prefix: string; ids: readonly string[] }) =>
    `"${prefix}" matches several: ${ids.join(', ')}. Type more of the ID.`,
  BAD_CONFIGURATION: ({ file, reason }: { file: string; reason: Reason }) =>
    `The configuration ${file} cannot be used: ${inLang(reason, 'en')}`,
  PROJECT_NEEDED: ({ roots }: { roots: readonly string[] }) =>
    roots.length === 0
      ? 'No project is registered here. Run sekisho init in its folder, or name one in the address: /mcp?project=/path/to/it'
      : `This server has several projects, so the address must name one: ${roots.map(projectAddress).join(' or ')}`,
  PORT_TAKEN: ({ host, port, by }: { host: string; port: number; by?: { pid: number; name: string } | undefined }) =>
    `Another program${by === undefined ? '' : ` (${by.name}, process ${by.pid})`} already listens on ${host}:${port}. Stop it, or choose another port: sekisho up --port 0 takes any free one.`,
  DAEMON_RUNS: ({ url, pid }: { url: string | undefined; pid: number | undefined }) =>
    url === undefined
      ? `Another daemon of this user${pid === undefined ? '' : ` (process ${pid})`} runs but does not answer. Stop it, then try again: sekisho down`
      : `A daemon runs already at ${url} (process ${pid}). It serves all your projects: sekisho open shows them. To start another one, stop it first: sekisho down`,
  DAEMON_NOT_UP: ({ reason, log }: { reason: string; log: string }) =>
    `The daemon did not start. Its log: ${log}${reason === '' ? '' : `\n${reason}`}`,
  STORE_UNAVAILABLE: ({ location, reason }: { location: string; reason: Reason }) =>
    `The database ${location} cannot be used: ${inLang(reason, 'en')}`,
  PLATFORM_UNSUPPORTED: ({ platform }: { platform: string }) =>
    `Sekisho brings SQLite for Linux and macOS only, not for ${platform}. Use PostgreSQL there: --db postgres://…`,
  STORE_FULL: ({ location }: { location: string }) =>
    `The disk is full, so nothing was written to the database ${location}. Confirmed changes are safe. Free some space there, then try again.`,
  STORE_READ_ONLY: ({ location }: { location: string }) =>
    `The database ${location} is read-only here. Make its file and folder (or its server) writable for this user, or name another with --db, then try again.`,
  /** Another process committed first each time, and the module has no code of its own for that. */
  STORE_BUSY: ({ what }: { what: string }) =>
    `Others changed ${what} before every attempt to save this, so nothing was saved. Try again. If it keeps failing, something is calling in a loop (sekisho journal list shows what).`,
  BACKUP_UNUSABLE: ({ file, reason }: { file: string; reason: Reason }) =>
    `The backup ${file} cannot be used: ${inLang(reason, 'en')}. Nothing was changed.`,
  BACKUP_EXISTS: ({ file }: { file: string }) =>
    `${file} already exists. Choose another name, or add --force to replace it.`,
  RESTORE_UNCONFIRMED: () =>
    'There is no terminal to confirm at, so nothing was changed. Check the differences, then add --yes.',
  STORE_REMOVED: ({ location, what, open }: { location: string; what: string; open: boolean }) =>
    !open
      ? `The database ${location} is gone: this project had it, and somebody removed or emptied it. Restore it (move it back, or from a backup). To begin with an empty one, a person runs: sekisho init`
      : `${what} was removed or replaced while Sekisho had the database ${location} open, so this request was refused. Restore the file (move it back, or from a backup; a lost -wal or -shm file is made again), then restart what has it open: sekisho down and sekisho up, and the AI clients that started sekisho mcp.`,
};

export const problem = defineProblems(englishProblem, ja.problem);

/** Whether a problem is the database's, not the request's. */
export function isOfStore({ code }: Problem): boolean {
  return code.startsWith('STORE_');
}

export const englishRefusal = {
  /** Only a person may do this. */
  person: (why: { what: Sentence }) =>
    `Only a person may ${why.what('en')}. Run this at a terminal of your own, or with a person's token in SEKISHO_TOKEN.`,
  /** A person of a user database that the store has not admitted. */
  unadmitted: (why: { key: string }) =>
    `Your decisions do not count in this store yet: your user database (key ${why.key}) is not admitted. Ask somebody whose decisions count here to run: sekisho admin admit ${why.key}`,
  /** A person of a store that is older than admission. */
  nobodyAdmitted: () =>
    'This store was made by an older Sekisho, and no one is admitted to it yet. Run sekisho doctor at a terminal: from then on your decisions count here.',
  /** A connection that an agent CLI started claims to be a person. */
  claim: (why: { role: string; evidence: string }) =>
    `This connection may not act as "${why.role}": it was started by an agent (${why.evidence}). Ask a person to do it at a terminal or in the dashboard.`,
  /** A caller claims to be a person without proof. */
  proof: (why: { role: string }) =>
    `The role "${why.role}" is a person's, and saying so proves nothing. Run this at a terminal, in its foreground, or with a person's token in SEKISHO_TOKEN (sekisho token create).`,
  /** A stdio server is started by its client, which is an agent. */
  server: (why: { role: string }) =>
    `A server over stdio is always an agent's, so it may not act as "${why.role}". A person uses the command line at a terminal, or the daemon with a person's token.`,
  /** A role that only Sekisho itself has. */
  reserved: (why: { role: string }) => `The role "${why.role}" is reserved for Sekisho itself.`,
  /** The token that this process was started with is unknown or has expired. */
  token: () => 'The token that this server was started with (SEKISHO_TOKEN) is invalid or has expired.',
  /** A command in a sandbox. */
  inside: () => 'This is a sandbox: only "sekisho mcp" and "sekisho hook" work here. Run the command outside of it.',
  /** Only a person's connection has this toolset. */
  toolset: (why: { role: string; toolset: string; command?: string | undefined }) =>
    `Only a person's connection has the ${why.toolset} tools; this one acts as "${why.role}". Ask a person to do it in the dashboard or at a terminal${why.command === undefined ? '.' : `: ${why.command}`}`,
  /** The setting `toolsets` leaves it out. */
  unserved: (why: { toolset: string; served: readonly string[] }) =>
    `The toolset ${why.toolset} is switched off here (on: ${why.served.join(', ')}). If --toolsets or SEKISHO_TOOLSETS is set, add it there; otherwise a person switches it on with: sekisho init --toolsets ${why.served.join(',')},${why.toolset}`,
};

export const refusal = defineRefusals(englishRefusal, ja.refusal);

export const englishPhrase = {
  /** Faults of one value. */
  nul: () => 'it contains a NUL character (U+0000), which is not allowed in text',
  surrogate: () => 'it contains half of a character (a lone surrogate), so it is not valid Unicode',
  depth: ({ most }: { most: number }) => `it is nested deeper than ${most} levels`,
  inputInvalid: ({ issues }: { issues: string }) => `The input is not valid: ${issues}`,
};

export const phrase = definePhrases(englishPhrase, ja.phrase);

/** Refuses an actor something that only a person may do. */
export function personNeeded({ userDatabase }: { readonly userDatabase?: string }, what: Sentence): Problem {
  return userDatabase === undefined ? refusal.person({ what }) : refusal.unadmitted({ key: userDatabase });
}
