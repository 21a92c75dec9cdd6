import { inherited } from '../../kernel/environment.ts';
import { readFile } from 'node:fs/promises';
import { confinePort } from '../../kernel/confine.ts';
import type { Context } from '../../kernel/context.ts';
import { confine, readArtifact } from './artifacts.ts';
import { isShipped } from '../definition/catalog.ts';
import type { Definition, GuardReference, Transition } from '../definition/definition.ts';
import { guardName, guardSpec } from '../definition/definition.ts';
import type { Evidence, Look, Verdict } from '../guard.ts';
import { isExpensive, readGuard } from '../guards.ts';
import { validateJson } from '../definition/json-schema.ts';
import type { Judged } from './machine.ts';
import { holds } from './machine.ts';
import type { Entered } from './baseline.ts';
import { treeChanges } from './baseline.ts';
import { callerOf, readReceipts } from './receipts.ts';
import type { TreeChanges } from '../worktree/manifest.ts';
import { isTrusted } from '../definition/trust.ts';
import { phrase } from '../problem.ts';

export interface Case {
  readonly definition: Definition;
  readonly digest: string;
  readonly run: Entered;
  readonly evidence: Evidence;
  /** Deciding runs programs; looking does not. */
  readonly deciding: boolean;
}

const maxContentBytes = 5_000_000;

/** Judges transitions in order and, when deciding, stops at the first that holds. */
export async function judge(
  context: Context,
  subject: Case,
  transitions: readonly Transition[],
): Promise<readonly Judged[]> {
  const look = lookInto(context, subject);
  const judged: Judged[] = [];
  for (const transition of transitions) {
    const one = await judgeTransition(look, transition, context);
    judged.push(one);
    if (subject.deciding && holds(one)) break;
  }
  return judged;
}

async function judgeTransition(look: Look, transition: Transition, context: Context): Promise<Judged> {
  const verdicts = new Map<GuardReference, Verdict>();
  const cheap = transition.guards.filter((guard) => !isExpensive(guard, look.definition.guards));
  for (const guard of cheap) verdicts.set(guard, await look.evaluate(guard));
  const open = cheap.filter((guard) => verdicts.get(guard)?.satisfied !== true);
  for (const guard of transition.guards) {
    if (verdicts.has(guard)) continue;
    const wait = look.deciding && open.length > 0;
    verdicts.set(
      guard,
      wait
        ? {
            satisfied: false,
            undetermined: true,
            reason: context.say(phrase.guardCommandWaiting({ guards: open.map(guardName).join(', ') })),
          }
        : await look.evaluate(guard),
    );
  }
  return { transition, verdicts: transition.guards.map((guard) => ({ guard, verdict: verdicts.get(guard)! })) };
}

function lookInto(context: Context, subject: Case): Look {
  const { definition, digest, run, evidence, deciding } = subject;
  const { tree } = run;
  let changes: Promise<TreeChanges> | undefined;
  const look: Look = {
    evidence,
    definition,
    deciding,
    say: context.say,
    signal: context.signal,
    tree,
    confine: confinePort.of(context),
    env: inherited(context.environment),
    file: async (path) => {
      const file = await readArtifact(tree, path, definition, context.signal);
      return typeof file === 'string' ? undefined : file;
    },
    content: async (path) => {
      const file = await confine(tree, path);
      return typeof file === 'string' || file.size > maxContentBytes ? undefined : readFile(file.absolute, 'utf8');
    },
    changes: () => (changes ??= treeChanges(context, run)),
    receipts: () => readReceipts(context.store, run),
    caller: callerOf(context),
    trusted: async () => (await isShipped(digest)) || isTrusted(context.store, digest),
    validate: async (schema, value) => validateJson(schema, value).map((one) => `${one.path} ${one.message}`),
    isExpensive: (reference) => isExpensive(reference, definition.guards),
    evaluate: async (reference) => {
      const given = guardSpec(definition, reference);
      const one = given === undefined ? undefined : readGuard(given);
      if (one === undefined) throw new Error(`definition ${digest} names an unknown guard ${guardName(reference)}`);
      return one.guard.check(one.spec, look);
    },
  };
  return look;
}
