import { inheritableEnvironment } from '../../base/environment.ts';
import { confinePort } from '../../sandbox/port.ts';
import type { Context } from '../../kernel/context.ts';
import { readArtifact } from '../evidence/artifacts.ts';
import { type Keeper, readKept } from '../evidence/kept-bytes.ts';
import {
  type Definition,
  type GuardReference,
  type GuardSpec,
  type Transition,
  guardName,
  guardSpec,
} from '../definition/definition.ts';
import { type Evidence, type GuardAccess, type Verdict, leaveUndecided } from '../guard.ts';
import { type ReadGuard, isExpensive, looksAtTree, readGuard } from '../guards.ts';
import type { Say } from '../../kernel/text/text.ts';
import { validateJson } from '../definition/json-schema.ts';
import { type JudgedTransition, type MergedContext, isSatisfied } from './machine.ts';
import { type RunPlace, treeChanges } from '../worktree/baseline.ts';
import { type Difference, differencePath } from '../evidence/difference.ts';
import { readReceipts } from '../evidence/receipts.ts';
import type { TreeChanges } from '../worktree/manifest.ts';
import { isTrusted } from '../definition/trust.ts';
import { phrase } from '../phrase.ts';
import { settings } from '../settings.ts';

export interface GuardCase {
  readonly run: RunPlace & {
    readonly definition: Definition;
    readonly digest: string;
    readonly here: boolean;
    readonly placed: boolean;
  };
  /** Holds the content that guards look at until the decision is made. */
  readonly keeper: Keeper;
  readonly evidence: Evidence;
  /** Keys of the payload that did not enter the context. */
  readonly ignored: MergedContext['ignored'];
  /** Reads the difference of the tree since the run began, if a person is about to approve it. */
  readonly difference?: (() => Promise<Difference>) | undefined;
  /** True: guards run their programs. False: guards only report known facts. */
  readonly deciding: boolean;
}

/** Evaluates transitions in order. When deciding, it stops at the first satisfied one. */
export async function judgeTransitions(
  context: Context,
  subject: GuardCase,
  transitions: readonly Transition[],
): Promise<readonly JudgedTransition[]> {
  return judgeBy(createSight(context, subject), transitions);
}

/** Evaluates transitions with the given access to the outside. */
export async function judgeBy(sight: Sight, transitions: readonly Transition[]): Promise<readonly JudgedTransition[]> {
  const judged: JudgedTransition[] = [];
  for (const transition of transitions) {
    const one = await judgeTransition(sight, transition);
    judged.push(one);
    if (sight.look.deciding && isSatisfied(one)) break;
  }
  return judged;
}

export interface Sight {
  readonly look: GuardAccess;
  /** Starts a new transition: forgets program results and, if programs ran, the state of the work tree. */
  readonly begin: () => void;
  /** Forgets the work tree, but no program results. True if a program has run since the tree was last read. */
  readonly lookAgain: () => boolean;
}

async function judgeTransition({ look, begin, lookAgain }: Sight, transition: Transition): Promise<JudgedTransition> {
  begin();
  const verdicts = new Map<GuardReference, Verdict>();
  const judged = (): JudgedTransition => ({
    transition,
    verdicts: transition.guards.map((guard) => ({ guard, verdict: verdicts.get(guard)! })),
  });
  const cheap = transition.guards.filter((guard) => !isExpensive(guard, look.definition.guards));
  for (const guard of cheap) verdicts.set(guard, await look.evaluate(guard));
  const open = cheap.filter((guard) => verdicts.get(guard)?.satisfied !== true);
  for (const guard of transition.guards) {
    if (verdicts.has(guard)) continue;
    const wait = look.deciding && open.length > 0;
    verdicts.set(
      guard,
      wait
        ? leaveUndecided(look, phrase.guardCommandWaiting({ guards: open.map(guardName).join(', ') }))
        : await look.evaluate(guard),
    );
  }
  // Programs take time and may change files: compare the work tree again after they ran.
  while (look.deciding && lookAgain() && isSatisfied(judged()))
    for (const guard of transition.guards)
      if (looksAtTree([guard], look.definition.guards)) verdicts.set(guard, await look.evaluate(guard));
  return judged();
}

/** Adds the payload keys that the guard did not receive to its reason, so that the sender finds the fault. */
export function withIgnored(
  verdict: Verdict,
  { guard, spec }: ReadGuard,
  ignored: MergedContext['ignored'],
  say: Say,
): Verdict {
  const lost = (guard.variables?.(spec) ?? []).filter((name) => ignored.has(name));
  if (verdict.satisfied || lost.length === 0) return verdict;
  const why = lost.map((key) => say(phrase.keyIgnored({ key, because: ignored.get(key) ?? 'undeclared' })));
  return { ...verdict, reason: [verdict.reason, ...why].join('; ') };
}

function createSight(context: Context, subject: GuardCase): Sight {
  const { run, evidence, deciding, keeper, ignored, difference } = subject;
  let changes: Promise<TreeChanges> | undefined;
  const ran = new Map<GuardSpec, Verdict>();
  const { definition, digest, tree } = run;
  const readFile = async (path: string) => {
    const file = await readArtifact(context, run, path);
    if (typeof file === 'string') return undefined;
    if (file.bytes !== undefined) keeper.add(file.bytes);
    return file.artifact;
  };
  // The difference is made by the gate for people: no one submitted it, and no file has its path.
  const artifacts = evidence.artifacts.filter((one) => one.path !== differencePath);
  const look: GuardAccess = {
    evidence: { ...evidence, artifacts },
    definition,
    deciding,
    say: context.say,
    signal: context.signal,
    tree,
    confine: confinePort.of(context),
    env: () => inheritableEnvironment(context.environment),
    testCommand: settings.of(context).test,
    file: readFile,
    bytes: async (file) => {
      const known = keeper.get(file.digest) ?? (await readKept(context.store, file.digest));
      if (known !== undefined) return known;
      if (!run.here) return undefined;
      return (await readFile(file.path))?.digest === file.digest ? keeper.get(file.digest) : undefined;
    },
    keep: (bytes) => keeper.add(bytes),
    changes: () => (changes ??= treeChanges(context, run)),
    difference: async () => {
      const found = await difference?.();
      if (found === undefined || 'fault' in found) return found;
      keeper.add(found.bytes);
      return found.artifact;
    },
    receipts: () => readReceipts(context.store, run),
    caller: { client: context.connection?.name, session: context.connection?.session },
    trusted: () => isTrusted(context, digest),
    validate: async (schema, value) =>
      validateJson(schema, value, context.say).map((one) => `${one.path} ${one.message}`),
    isExpensive: (reference) => isExpensive(reference, definition.guards),
    evaluate: async (reference) => {
      const given = guardSpec(definition, reference);
      const one = given === undefined ? undefined : readGuard(given);
      if (one === undefined) throw new Error(`definition ${digest} names an unknown guard ${guardName(reference)}`);
      if (!run.here && one.guard.needsFiles?.(one.spec) === true)
        return leaveUndecided(context, run.placed ? phrase.guardElsewhere() : phrase.guardUnplaced());
      const verdict = ran.get(one.spec) ?? (await one.guard.check(one.spec, look));
      if (one.guard.expensive === true) ran.set(one.spec, verdict);
      return withIgnored(verdict, one, ignored, context.say);
    },
  };
  let looked = 0;
  const lookAgain = () => {
    if (ran.size === looked) return false;
    looked = ran.size;
    changes = undefined;
    return true;
  };
  const begin = () => {
    lookAgain();
    ran.clear();
    looked = 0;
  };
  return { look, begin, lookAgain };
}
