import type { Body, Head } from '../definition/schema.ts';
import type { Path, Report } from '../definition/finding.ts';
import type { Sentence } from '../../kernel/text/text.ts';
import { lintText, suggestNames } from './lint-text.ts';

export function lintNames(head: Head, body: Body, report: Report): void {
  const states = collect('states', body.states, (one) => one.name, report);
  const events = collect('events', body.events, (one) => one.name, report);
  const types = collect('artifacts', body.artifacts ?? [], (one) => one.type, report);
  const roles = collect('roles', body.roles ?? [], (one) => one.name, report);

  const needState = (name: string, path: Path) => {
    if (name === '*') report.error('BAD_WILDCARD', path, lintText.wildcardState(), lintText.oneEachState());
    else if (!states.has(name))
      report.error('UNKNOWN_STATE', path, lintText.noState({ name }), lintText.useOne({ known: [...states] }));
  };
  const needEvent = (name: string, path: Path) => {
    if (!events.has(name))
      report.error('UNKNOWN_EVENT', path, lintText.noEvent({ name }), suggestNames(events, 'events'));
  };
  const needRoles = (list: readonly string[] | undefined, path: Path) => {
    if (list?.includes('*') === true && list.length > 1)
      report.error('BAD_WILDCARD', path, lintText.wildcardRoles(), lintText.allOrNameRoles());
    list?.forEach((name, index) => {
      if (name === '*') return;
      if (name.includes('*'))
        report.error('BAD_WILDCARD', [...path, index], lintText.partWildcard({ name }), lintText.wholeName());
      else if (body.roles !== undefined && !roles.has(name))
        report.error('UNKNOWN_ROLE', [...path, index], lintText.noRole({ name }), suggestNames(roles, 'roles'));
    });
  };

  needState(head.initial_state, ['initial_state']);
  body.states.forEach((state, index) => {
    state.required_artifacts?.forEach((required, at) => {
      const type = typeof required === 'string' ? required : 'type' in required ? required.type : undefined;
      if (type === undefined || types.has(type)) return;
      const unknown = lintText.noArtifactType({ name: type });
      const path = ['states', index, 'required_artifacts', at];
      report.error('UNKNOWN_ARTIFACT_TYPE', path, unknown, suggestNames(types, 'artifacts'));
    });
  });
  const compatible = (path: Path, message: Sentence, remedy: Sentence) =>
    report.warning('COMPATIBLE', path, message, remedy);
  body.states.forEach((state, index) => {
    if (state.is_terminal !== undefined)
      compatible(['states', index, 'is_terminal'], lintText.isTerminal(), lintText.writeIsFinal());
  });
  body.artifacts?.forEach((artifact, index) => {
    const path = ['artifacts', index, 'required_in_states'];
    artifact.required_in_states?.forEach((name, at) => needState(name, [...path, at]));
    if (artifact.required_in_states !== undefined)
      compatible(path, lintText.requiredInStates(), lintText.writeRequired());
    if (artifact.required_for_transitions !== undefined)
      compatible(
        ['artifacts', index, 'required_for_transitions'],
        lintText.requiredForTransitions(),
        lintText.guardTransitions(),
      );
  });
  body.events.forEach((event, index) => needRoles(event.allowed_roles, ['events', index, 'allowed_roles']));
  body.transitions.forEach((transition, index) => {
    needState(transition.from, ['transitions', index, 'from']);
    needState(transition.to, ['transitions', index, 'to']);
    needEvent(transition.event, ['transitions', index, 'event']);
    needRoles(transition.allowed_roles, ['transitions', index, 'allowed_roles']);
    if (transition.guard !== undefined && transition.guards !== undefined)
      report.error('BAD_FIELD', ['transitions', index, 'guards'], lintText.guardTwice(), lintText.keepOne());
  });
  body.roles?.forEach((role, index) => {
    const list = role.allowed_events;
    const path = ['roles', index, 'allowed_events'];
    if (list?.includes('*') === true && list.length > 1)
      report.error('BAD_WILDCARD', path, lintText.wildcardEvents(), lintText.allOrNameEvents());
    list?.forEach((name, at) => {
      if (name !== '*') needEvent(name, [...path, at]);
    });
  });
}

function collect<T>(
  section: string,
  list: readonly T[],
  nameOf: (one: T) => string,
  report: Report,
): ReadonlySet<string> {
  const seen = new Set<string>();
  list.forEach((one, index) => {
    const name = nameOf(one);
    if (seen.has(name))
      report.error('DUPLICATE_NAME', [section, index], lintText.twice({ name, section }), lintText.renameOne());
    seen.add(name);
  });
  return seen;
}
