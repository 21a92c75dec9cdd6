import type { Context } from '../../kernel/context.ts';
import { type Definition, type GuardSpec, artifactTypesIn, countedIn, readDefinition } from '../../gate/index.ts';
import { type PhaseItem, settings } from '../settings.ts';
import { problem } from '../problem.ts';
import { problem as kernelProblem } from '../../kernel/problem.ts';
import { wordsOf } from '../../kernel/text/text.ts';
import { memoizeByObject } from '../../base/memoize-by-object.ts';

export const completeEvent = 'complete_phase';
export const reportEvent = 'report_phase';

/** Tools that an agent needs to finish a phase: only an explicit `denied` closes them. */
const phaseTools = ['inject_phase_prompt', 'transition_to_next_phase', 'get_phase_context', 'save_phase_result'];

export interface PhasePlan {
  readonly definition: Definition;
  readonly digest: string;
  /** Whether a phase has tool permissions: only then does the plan's run bind the project. */
  readonly binds: boolean;
}

export function findPhase(context: Pick<Context, 'settings'>, id: string): PhaseItem {
  const { list } = settings.of(context).phases;
  const found = list.find((one) => one.id === id);
  if (found !== undefined) return found;
  const known = list.map((one) => one.id);
  throw problem.PHASE_NOT_FOUND({ phase: id, known }, { phase: id, known_phases: known });
}

/** The name of a phase after "Phase" in messages: "0" for `phase0`, else its id. */
export function phaseLabel(id: string): string {
  return /^phase(\d+)$/.exec(id)?.[1] ?? id;
}

/** The phases as a process: a state for each phase, one event that moves on and one that stays. */
export function planOf(context: Pick<Context, 'settings'>): PhasePlan {
  return planFor(settings.of(context).phases.list);
}

const planFor = memoizeByObject((list: readonly PhaseItem[]): PhasePlan => {
  // JSON is valid YAML, so a plan passes the same schema and lint as a hand-written definition.
  const read = readDefinition('phases', JSON.stringify(describe(list)));
  const errors = read.findings.filter((one) => one.severity === 'error');
  if (read.definition === undefined)
    throw kernelProblem.BAD_CONFIGURATION({
      file: 'phases.list',
      reason: wordsOf((lang) => errors.map((one) => `${one.message(lang)} ${one.remedy(lang)}`).join(' ')),
    });
  return {
    definition: read.definition,
    digest: read.digest,
    binds: list.some((one) => one.tool_permissions !== undefined),
  };
});

function describe(list: readonly PhaseItem[]): object {
  const last = finalState(list);
  const guards: Record<string, GuardSpec> = {};
  const namesOf = new Map(
    list.map((item) => {
      const own = Object.entries(guardsOf(item));
      for (const [name, spec] of own) guards[name] = spec;
      return [item.id, own.map(([name]) => name)] as const;
    }),
  );
  // An event that a guard counts (an approval) must exist in every phase, or no one could emit it.
  const specs = Object.values(guards);
  const approvals = [...new Set(countedIn(specs).map((one) => one.event))];
  return {
    process: {
      id: 'phases',
      version: '1',
      name: 'Phases',
      description: list.map((one) => one.title ?? one.id).join(' → '),
      initial_state: list[0]?.id,
    },
    states: [
      ...list.map((item) => ({
        name: item.id,
        description: item.title ?? item.id,
        prompt: `inject_phase_prompt has the prompt of ${item.id}; transition_to_next_phase finishes it.`,
        required_artifacts: (item.required_files ?? []).map((path) => ({ path })),
        ...(item.tool_permissions !== undefined && { tool_permissions: permissionsOf(item.tool_permissions) }),
      })),
      { name: last, description: 'All phases are finished', is_final: true },
    ],
    events: [
      { name: completeEvent, description: 'The phase is done; the next one begins', payload_schema: resultSchema },
      { name: reportEvent, description: 'The phase goes on; what there is so far', payload_schema: resultSchema },
      ...approvals.map((name) => ({ name, allowed_roles: ['reviewer', 'human'], context: false })),
    ],
    transitions: list.flatMap((item, index) => [
      { from: item.id, event: completeEvent, to: list[index + 1]?.id ?? last, guards: namesOf.get(item.id) ?? [] },
      { from: item.id, event: reportEvent, to: item.id },
      ...approvals.map((event) => ({ from: item.id, event, to: item.id })),
    ]),
    guards,
    artifacts: [...new Set(artifactTypesIn(specs))].map((type) => ({ type })),
  };
}

const resultSchema = {
  type: 'object',
  required: ['status'],
  properties: {
    status: { enum: ['completed', 'partial', 'failed'] },
    outputFiles: { type: 'array', items: { type: 'string' } },
    summary: { type: 'string' },
  },
};

function guardsOf(item: PhaseItem): Record<string, GuardSpec> {
  const named: Record<string, GuardSpec> = {};
  if (item.required_files !== undefined && item.required_files.length > 0)
    named[`${item.id}.required_files`] = { type: 'artifact_exists', paths: item.required_files };
  item.guards?.forEach((spec, index) => {
    named[`${item.id}.${spec.type}${index === 0 ? '' : `_${index + 1}`}`] = spec;
  });
  return named;
}

function permissionsOf(given: NonNullable<PhaseItem['tool_permissions']>): object {
  const { allowed, denied, ask } = given;
  const open =
    allowed === undefined || allowed.length === 0 ? [] : phaseTools.flatMap((one) => [one, `mcp__*__${one}`]);
  return { allowed: [...(allowed ?? []), ...open], denied: denied ?? [], ask: ask ?? [] };
}

function finalState(list: readonly PhaseItem[]): string {
  const taken = new Set(list.map((one) => one.id));
  return ['finished', 'all_finished'].find((name) => !taken.has(name)) ?? 'every_phase_finished';
}
