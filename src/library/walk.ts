import { sha256 } from '../base/crypto.ts';
import { isProblem } from '../kernel/problem.ts';
import { agentRole, personRole } from '../kernel/role.ts';
import { type Say, definePhrases } from '../kernel/text/text.ts';
import {
  type Definition,
  type GuardReference,
  findState,
  guardName,
  guardSpec,
} from '../gate/definition/definition.ts';
import { validateJson } from '../gate/definition/json-schema.ts';
import type { Artifact, Evidence, GuardAccess, Verdict } from '../gate/guard.ts';
import { isExpensive, readGuard } from '../gate/guards.ts';
import { phrase } from '../gate/phrase.ts';
import { problem } from '../gate/problem.ts';
import { admitEvent } from '../gate/run/admission.ts';
import { type HeldApproval, digestsOf, isJudgement, isNewApproval, validApprovals } from '../gate/approval/approval.ts';
import { artifactType } from '../gate/evidence/artifacts.ts';
import { evidenceOfEvent, filesFoundByGuards, mergeArtifacts } from '../gate/evidence/new-evidence.ts';
import { type Sight, judgeBy, withIgnored } from '../gate/run/evaluate.ts';
import { type MergedContext, type Position, positionAfter, chooseTransition } from '../gate/run/machine.ts';
import { describeMissing } from '../gate/view/missing.ts';
import { checkSize, payloadProblem, mergePayload } from '../gate/run/payload.ts';
import { isAgentId, approverId } from '../gate/run/approver.ts';
import type { HeldArtifact } from '../gate/run/runs.ts';
import { submittersOf } from '../gate/view/events.ts';
import type { Step, StepResult } from './walk-step.ts';
import * as ja from './ja.ts';

interface Walker {
  position(): Position;
  take(step: Step): Promise<StepResult>;
}

/** Creates a run in memory. The gate's own functions decide; only the facts that guards look at come from the steps. */
export function createWalker(definition: Definition, given: Readonly<Record<string, unknown>>, say: Say): Walker {
  const context = { ...definition.initial_context, ...given };
  const faults = definition.context_schema === undefined ? [] : validateJson(definition.context_schema, context, say);
  if (faults.length > 0) throw new Error(faults.map((one) => `/context${one.path}: ${one.message}`).join('\n'));
  const { initial_state: state } = definition;
  const isFinal = findState(definition, state)?.is_final === true;
  let position: Position = { state, revision: 0, context, visited: [], entered: 0, isFinal };
  let held: readonly HeldArtifact[] = [];
  let approvals: readonly HeldApproval[] = [];
  const contents = new Map<string, Buffer>();

  const readFiles = (artifacts: Readonly<Record<string, string>>): readonly Artifact[] =>
    Object.entries(artifacts).map(([path, text]) => {
      const bytes = Buffer.from(text);
      const digest = sha256(bytes);
      contents.set(digest, bytes);
      return { path, version: 0, type: artifactType(definition, path), digest, size: bytes.length };
    });

  const decide = async (step: Step): Promise<readonly string[]> => {
    const actor = actorOf(step);
    const { event, open } = admitEvent(
      { actor, ports: new Map() },
      { ...position, definition, aborted: null },
      step.event,
    );
    const { payload = {}, artifacts: handedIn = {} } = step;
    checkSize({ say }, '/payload', payload);
    const merged = mergePayload(definition, event, position.context, payload, say);
    const files = readFiles(handedIn);
    const empty = files
      .filter((one) => one.size === 0)
      .map(({ path }) => ({
        path: `/artifacts/${path}`,
        message: say(phrase.artifactFault({ path, fault: 'empty' })),
      }));
    if (merged.errors.length + empty.length > 0) throw payloadProblem([...merged.errors, ...empty]);

    const mine = { event: event.name, actor: approverId(actor), role: actor.role };
    const artifacts = mergeArtifacts(held, files, mine.actor);
    const submitters = submittersOf(artifacts);
    const earlier = validApprovals(approvals, artifacts);
    const evidence = {
      context: merged.context,
      artifacts,
      approvals: isAgentId(mine.actor) ? earlier : [...earlier, mine],
      submitters,
    };
    const judged = await judgeBy(sightOf(step, evidence, merged.ignored), open);
    const chosen = chooseTransition(judged);
    const counts = !isAgentId(mine.actor) && !submitters.has(mine.actor);
    const approves = chosen === undefined && counts && isNewApproval(definition, mine, earlier, open);
    const seen = chosen === undefined ? [] : filesFoundByGuards([chosen]);
    const brought = evidenceOfEvent(held, mine.actor, files, seen);
    const missing = chosen === undefined ? describeMissing(judged) : [];
    if (chosen === undefined && brought.length === 0 && !approves)
      throw problem.GUARD_FAILED({ missing, waits: null }, { missing_guards: missing });
    const before = position.entered;
    position = positionAfter(
      definition,
      position,
      chosen?.transition.to ?? position.state,
      chosen === undefined ? position.context : merged.context,
    );
    held = [...held.filter((one) => !brought.some(({ path }) => path === one.path)), ...brought];
    const isKept = isJudgement(definition, event.name) && !isAgentId(mine.actor);
    const since = position.entered === before ? approvals : [];
    approvals = isKept && position.entered === before ? [...since, { ...mine, evidence: digestsOf(held) }] : since;
    return missing;
  };

  const sightOf = (step: Step, evidence: Evidence, ignored: MergedContext['ignored']): Sight => {
    const changed = new Set([...(step.changed ?? []), ...Object.keys(step.artifacts ?? {})]);
    const look: GuardAccess = {
      evidence,
      definition,
      deciding: true,
      say,
      signal: new AbortController().signal,
      tree: '/',
      // Guards that run a program take their result from `facts`.
      confine: () => Promise.reject(new Error('a walk runs no program')),
      env: () => ({}),
      testCommand: undefined,
      file: async (path) => evidence.artifacts.find((one) => one.path === path),
      bytes: async ({ digest }) => contents.get(digest),
      keep: sha256,
      changes: async () => ({ since: '', changes: [...changed].map((path) => ({ path, how: 'changed' })) }),
      difference: async () => undefined,
      receipts: async () => [],
      caller: { client: undefined, session: undefined },
      trusted: async () => true,
      validate: async (schema, value) => validateJson(schema, value, say).map((one) => `${one.path} ${one.message}`),
      isExpensive: (reference) => isExpensive(reference, definition.guards),
      evaluate: async (reference) => factOf(step, reference, say) ?? (await check(reference, look, ignored)),
    };
    return { look, begin: () => undefined, lookAgain: () => false };
  };

  const check = async (
    reference: GuardReference,
    look: GuardAccess,
    ignored: MergedContext['ignored'],
  ): Promise<Verdict> => {
    const spec = guardSpec(definition, reference);
    const one = spec === undefined ? undefined : readGuard(spec);
    if (one === undefined) throw new Error(`unknown guard ${guardName(reference)}`);
    if (one.guard.expensive === true)
      return { satisfied: false, undetermined: true, reason: say(text.noFact({ guard: guardName(reference) })) };
    return withIgnored(await one.guard.check(one.spec, look), one, ignored, say);
  };

  return {
    position: () => position,
    async take(step) {
      const from = position.state;
      const result = (missing: readonly string[]) => ({
        event: step.event,
        from,
        to: position.state,
        moved: position.state !== from,
        missing,
      });
      try {
        return result(await decide(step));
      } catch (error) {
        if (!isProblem(error)) throw error;
        const missing = (error.details?.['missing_guards'] as readonly string[] | undefined) ?? [];
        return { ...result(missing), refused: { code: error.code, message: say((lang) => error.in(lang)) } };
      }
    },
  };
}

function actorOf({ event, person: name, role }: Step) {
  const isPerson = name !== undefined;
  const usual = event === 'approve' || event === 'reject' ? 'reviewer' : personRole;
  return {
    role: role ?? (isPerson ? usual : agentRole),
    id: isPerson ? `person:${name}` : 'agent',
    verified: isPerson,
    person: isPerson,
  };
}

function factOf({ facts = {} }: Step, reference: GuardReference, say: Say): Verdict | undefined {
  const name = guardName(reference);
  if (!Object.hasOwn(facts, name)) return undefined;
  const satisfied = facts[name] === true;
  return { satisfied, reason: satisfied ? '' : say(text.factIsFalse()) };
}

export const english = {
  noFact: ({ guard }: { guard: string }) => `it runs a program; say how it ends: facts: { ${guard}: true }`,
  factIsFalse: () => 'facts says false',
};

const text = definePhrases(english, ja.text);
