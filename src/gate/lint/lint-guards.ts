import type { Body } from '../definition/schema.ts';
import {
  type Definition,
  type Event,
  type GuardReference,
  type GuardSpec,
  guardName,
} from '../definition/definition.ts';
import { findGuard, guards, readGuard } from '../guards.ts';
import type { Path, Report } from '../definition/finding.ts';
import { admits } from '../definition/role.ts';
import { describeIssue } from '../definition/wording.ts';
import { lintText, suggestNames } from './lint-text.ts';

/** Checks that guards have valid parameters, refer to existing names, and read no value that agents set themselves. */
export function lintGuards(body: Body, definition: Definition, report: Report): void {
  const types = new Set(definition.artifacts.map((one) => one.type));
  const names = Object.keys(definition.guards);
  const roles = definition.roles.map((one) => one.name);
  const used = new Set<string>();

  const visit = (reference: GuardReference, path: Path, trail: readonly string[]): void => {
    if (typeof reference === 'string') {
      used.add(reference);
      const spec = definition.guards[reference];
      if (spec === undefined)
        report.error('UNKNOWN_GUARD', path, lintText.noGuard({ name: reference }), suggestNames(names, 'guards'));
      else if (trail.includes(reference))
        report.error(
          'GUARD_CYCLE',
          path,
          lintText.cycle({ name: reference, trail: [...trail, reference] }),
          lintText.breakCycle(),
        );
      else children(spec).forEach((child) => visit(child, path, [...trail, reference]));
      return;
    }
    checkSpec(reference, path);
    const pathOf = (index: number) => ('guards' in reference ? ['guards', index] : ['guard']);
    children(reference).forEach((child, index) => visit(child, [...path, ...pathOf(index)], trail));
  };

  const checkSpec = (spec: GuardSpec, path: Path): void => {
    const guard = findGuard(spec.type);
    if (guard === undefined) {
      const known = guards.map((one) => one.type);
      const unknown = lintText.noType({ name: spec.type });
      report.error('UNKNOWN_GUARD_TYPE', [...path, 'type'], unknown, lintText.useOne({ known }));
      return;
    }
    const parsed = guard.parameters.safeParse(spec);
    for (const issue of parsed.error?.issues ?? [])
      report.error(
        'BAD_GUARD',
        [...path, ...(issue.path as (string | number)[])],
        lintText.badGuard({ type: spec.type, wrong: describeIssue(issue, spec) }),
        lintText.seeParameters(),
      );
    if (!parsed.success) return;
    if (spec['min_count'] === 0)
      report.warning('COMPATIBLE', [...path, 'min_count'], lintText.alwaysHolds(), lintText.askForOne());
    for (const type of guard.artifactTypes?.(parsed.data) ?? [])
      if (!types.has(type)) {
        const unknown = lintText.noArtifactType({ name: type });
        report.error('UNKNOWN_ARTIFACT_TYPE', path, unknown, suggestNames(types, 'artifacts'));
      }
    for (const { event, role } of guard.counts?.(parsed.data) ?? []) {
      if (!definition.events.some((one) => one.name === event))
        report.error('UNKNOWN_EVENT', path, lintText.noApproval({ name: event }), lintText.nameApproval());
      if (role !== undefined && roles.length > 0 && !roles.includes(role))
        report.error('UNKNOWN_ROLE', path, lintText.noApprover({ name: role }), suggestNames(roles, 'roles'));
    }
  };

  for (const [name, spec] of Object.entries(body.guards ?? {})) {
    checkSpec(spec, ['guards', name]);
    children(spec).forEach((child) => visit(child, ['guards', name], [name]));
  }
  body.transitions.forEach((transition, index) => {
    if (transition.guard !== undefined) visit(transition.guard, ['transitions', index, 'guard'], []);
    transition.guards?.forEach((reference, at) => visit(reference, ['transitions', index, 'guards', at], []));
  });
  for (const name of names)
    if (!used.has(name))
      report.warning('UNUSED_GUARD', ['guards', name], lintText.unused({ name }), lintText.useOrRemove());

  reportSelfReported(definition, report);
  reportUndeclared(definition, report);
}

/** Reports guard variables that nothing can set. A payload key enters the context only if an event declares it. */
function reportUndeclared(definition: Definition, report: Report): void {
  const known = new Set([
    ...Object.keys(definition.initial_context),
    ...definition.inputs,
    ...definition.events.flatMap((event) => declaredKeys(event)),
  ]);
  for (const [name, spec] of Object.entries(definition.guards)) {
    for (const variable of guardVariables(spec).filter((one) => !known.has(one))) {
      const found = lintText.undeclared({ name, variable });
      report.warning('UNDECLARED_KEY', ['guards', name], found, lintText.declare({ variable }));
    }
  }
}

/** Reports guards that read values that an agent can set: they prove nothing, since the agent grades its own work. */
function reportSelfReported(definition: Definition, report: Report): void {
  const writers = new Map<string, string>();
  for (const event of definition.events) {
    if (!admitsAgent(definition, event)) continue;
    for (const key of declaredKeys(event)) writers.set(key, event.name);
  }
  const look = (reference: GuardReference, path: Path, shown: string): void => {
    // Named guards are reported at their definition.
    if (typeof reference === 'string') return;
    for (const variable of guardVariables(reference)) {
      const event = writers.get(variable);
      if (event === undefined) continue;
      const found = lintText.selfReported({ name: shown, variable, event });
      report.warning('SELF_REPORTED_GUARD', path, found, lintText.guardEvidence());
    }
    for (const child of children(reference)) look(child, path, shown);
  };
  for (const [name, spec] of Object.entries(definition.guards)) look(spec, ['guards', name], name);
  definition.transitions.forEach((transition, index) => {
    for (const reference of transition.guards) look(reference, ['transitions', index], guardName(reference));
  });
}

function admitsAgent(definition: Definition, event: Event): boolean {
  const agent = definition.roles.find((one) => one.name === 'agent');
  return admits(event.allowed_roles, 'agent') && admits(agent?.allowed_events, event.name);
}

export function declaredKeys(event: Event): readonly string[] {
  if (event.context === false) return [];
  if (event.context !== undefined) return event.context;
  const properties = event.payload_schema?.['properties'];
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
}

function guardVariables(spec: GuardSpec): readonly string[] {
  const one = readGuard(spec);
  return one?.guard.variables?.(one.spec) ?? [];
}

function children(spec: GuardSpec): readonly GuardReference[] {
  const one = readGuard(spec);
  return one?.guard.children?.(one.spec) ?? [];
}
