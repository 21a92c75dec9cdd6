import type { z } from 'zod';
import type { Confine } from '../sandbox/port.ts';
import type { Say } from '../kernel/text/text.ts';
import type { Counted, Definition, GuardReference, GuardSpec } from './definition/definition.ts';
import type { TreeChanges } from './worktree/manifest.ts';

/** A file that was handed in as evidence. */
export interface Artifact {
  readonly path: string;
  readonly version: number;
  readonly type: string | undefined;
  readonly digest: string;
  readonly size: number;
}

/** A hook of a client has asked about a tool. */
export interface Receipt {
  readonly client: string;
  readonly session: string | undefined;
}

export interface Approval {
  readonly event: string;
  readonly actor: string;
  readonly role: string;
}

/** What guards may look at. The context has the payload merged in, the artifacts include the new ones. */
export interface Evidence {
  readonly context: Readonly<Record<string, unknown>>;
  readonly artifacts: readonly Artifact[];
  /** Approvals of the evidence as it stands: given since the state was entered and the last artifact came in. */
  readonly approvals: readonly Approval[];
  /** Who handed in the artifacts. */
  readonly submitters: ReadonlySet<string>;
}

/** The outside, for guards that must look at files or run a program. */
export interface Look {
  readonly evidence: Evidence;
  readonly definition: Definition;
  /** Deciding: run what has to run. Otherwise only say what is known. */
  readonly deciding: boolean;
  readonly say: Say;
  readonly signal: AbortSignal;
  /** The run's checkout or worktree. */
  readonly tree: string;
  /** How a program is started here: in a sandbox, where one is due. */
  readonly confine: Confine;
  /** What a program may inherit: our own environment without our own secrets. */
  env(): Readonly<Record<string, string>>;
  /** What the configuration says the project is tested with. */
  readonly testCommand: readonly string[] | undefined;
  /** The file as it is now, or undefined where there is none that could be evidence. */
  file(path: string): Promise<Artifact | undefined>;
  /** The content that has that digest; undefined where it is too large, or gone. */
  bytes(artifact: Artifact): Promise<Buffer | undefined>;
  /** Keeps what belongs to the decision; the verdict's note names it by this digest. */
  keep(bytes: Buffer): string;
  /** How the work tree differs from what it was when the state was entered. Read once for a decision. */
  changes(): Promise<TreeChanges>;
  /** What became of the work tree since the run began, as a file; undefined where nobody is about to answer for it. */
  difference(): Promise<Artifact | { readonly fault: string } | undefined>;
  /** What hooks asked in this state, newest first. */
  receipts(): Promise<readonly Receipt[]>;
  /** Which client calls, as far as it says. */
  readonly caller: { readonly client: string | undefined; readonly session: string | undefined };
  /** Has a person trusted the definition's file? */
  trusted(): Promise<boolean>;
  evaluate(reference: GuardReference): Promise<Verdict>;
  /** Does it run a program, or is it made of one that does? */
  isExpensive(reference: GuardReference): boolean;
  validate(schema: object, value: unknown): Promise<readonly string[]>;
}

export interface Verdict {
  readonly satisfied: boolean;
  /** What is missing, in the caller's language; empty where nothing is. */
  readonly reason: string;
  /** Neither true nor false could be found out. `not` must not turn that into a yes. */
  readonly undetermined?: true;
  /** Files that this guard found by itself and that become evidence. */
  readonly seen?: readonly Artifact[];
  /** Digests of what was kept for this verdict. */
  readonly kept?: readonly string[];
  /** What goes into the journal beside the decision. */
  readonly note?: Readonly<Record<string, unknown>>;
}

export const satisfied: Verdict = { satisfied: true, reason: '' };

/** One kind of guard, one file in `guard/`, one line in `guards.ts`. */
export interface Guard<P = GuardSpec> {
  readonly type: string;
  readonly parameters: z.ZodType<P>;
  /** Guards that this one is made of. Like every method here, it gets the spec as `parameters` has read it. */
  children?(spec: P): readonly GuardReference[];
  /** Context variables that it reads. */
  variables?(spec: P): readonly string[];
  /** Artifact types that it names. */
  artifactTypes?(spec: P): readonly string[];
  /** Files of the project that it looks at by exactly these names: somebody else may change what it says at any time. */
  paths?(spec: P): readonly string[];
  /** What it counts: such events are kept as evidence, and a process that has such a guard must have the event. */
  counts?(spec: P): readonly Counted[];
  /** Programs that it runs, as a person reads them: it does so only if that person has trusted the definition's file. */
  programs?(spec: P): readonly string[];
  /** It compares the work tree with what it was: the tree is recorded when a state is entered that this leads out of. */
  readonly looksAtTree?: boolean;
  /** It can only be asked where the run's files are. */
  needsFiles?(spec: P): boolean;
  /** People are shown what became of the work tree since the run began, and answer for exactly that. */
  showsDifference?(spec: P): boolean;
  /** Expensive ones (a program) are asked last, and only when everything else holds. */
  readonly expensive?: boolean;
  check(spec: P, look: Look): Verdict | Promise<Verdict>;
}

export function defineGuard<P>(guard: Guard<P>): Guard {
  return guard as unknown as Guard;
}
