import type { Body, Head } from './schema.ts';
import type { Path, Report } from './finding.ts';

/** Names that are used must exist, once. */
export function lintNames(head: Head, body: Body, report: Report): void {
  const states = collect('states', body.states, (one) => one.name, report);
  const events = collect('events', body.events, (one) => one.name, report);
  const types = collect('artifacts', body.artifacts ?? [], (one) => one.type, report);
  const roles = collect('roles', body.roles ?? [], (one) => one.name, report);

  const known = (set: ReadonlySet<string>) => [...set].join(', ') || 'none';
  const needState = (name: string, path: Path) => {
    if (name === '*')
      report(
        'BAD_WILDCARD',
        'error',
        path,
        'A transition cannot start from or lead to "*".',
        'Write one transition for each state.',
      );
    else if (!states.has(name))
      report('UNKNOWN_STATE', 'error', path, `There is no state "${name}".`, `Use one of: ${known(states)}.`);
  };
  const needEvent = (name: string, path: Path) => {
    if (!events.has(name))
      report(
        'UNKNOWN_EVENT',
        'error',
        path,
        `There is no event "${name}".`,
        `Use one of: ${known(events)}, or add it under events.`,
      );
  };
  const needRoles = (list: readonly string[] | undefined, path: Path) => {
    if (list?.includes('*') === true && list.length > 1)
      report(
        'BAD_WILDCARD',
        'error',
        path,
        '"*" admits every role, so the others in this list mean nothing.',
        'Write ["*"], or name the roles.',
      );
    list?.forEach((name, index) => {
      if (name === '*') return;
      if (name.includes('*'))
        report(
          'BAD_WILDCARD',
          'error',
          [...path, index],
          `"${name}" is no role: "*" stands only for every role.`,
          'Write "*" or a whole name.',
        );
      else if (body.roles !== undefined && !roles.has(name))
        report(
          'UNKNOWN_ROLE',
          'error',
          [...path, index],
          `There is no role "${name}".`,
          `Use one of: ${known(roles)}, or add it under roles.`,
        );
    });
  };

  needState(head.initial_state, ['initial_state']);
  body.states.forEach((state, index) => {
    state.required_artifacts?.forEach((required, at) => {
      const type = typeof required === 'string' ? required : 'type' in required ? required.type : undefined;
      if (type !== undefined && !types.has(type))
        report(
          'UNKNOWN_ARTIFACT_TYPE',
          'error',
          ['states', index, 'required_artifacts', at],
          `There is no artifact type "${type}".`,
          `Use one of: ${known(types)}, or add it under artifacts.`,
        );
    });
  });
  const compatible = (path: Path, message: string, remedy: string) =>
    report('COMPATIBLE', 'warning', path, message, remedy);
  body.states.forEach((state, index) => {
    if (state.is_terminal !== undefined)
      compatible(['states', index, 'is_terminal'], 'is_terminal is read as is_final.', 'Write is_final.');
  });
  body.artifacts?.forEach((artifact, index) => {
    const path = ['artifacts', index, 'required_in_states'];
    artifact.required_in_states?.forEach((name, at) => needState(name, [...path, at]));
    if (artifact.required_in_states !== undefined)
      compatible(
        path,
        'required_in_states is read as required_artifacts of those states. A run leaves the state without them all the same, unless a guard asks for them.',
        'Write required_artifacts in the states.',
      );
    if (artifact.required_for_transitions !== undefined)
      compatible(
        ['artifacts', index, 'required_for_transitions'],
        'required_for_transitions is read and means nothing.',
        'Guard the transitions with { type: artifact, artifact_type: … }.',
      );
  });
  body.events.forEach((event, index) => needRoles(event.allowed_roles, ['events', index, 'allowed_roles']));
  body.transitions.forEach((transition, index) => {
    needState(transition.from, ['transitions', index, 'from']);
    needState(transition.to, ['transitions', index, 'to']);
    needEvent(transition.event, ['transitions', index, 'event']);
    needRoles(transition.allowed_roles, ['transitions', index, 'allowed_roles']);
    if (transition.guard !== undefined && transition.guards !== undefined)
      report(
        'BAD_FIELD',
        'error',
        ['transitions', index, 'guards'],
        'guard and guards are both given.',
        'Keep one of them.',
      );
  });
  body.roles?.forEach((role, index) => {
    const list = role.allowed_events;
    if (list?.includes('*') === true && list.length > 1)
      report(
        'BAD_WILDCARD',
        'error',
        ['roles', index, 'allowed_events'],
        '"*" admits every event, so the others in this list mean nothing.',
        'Write ["*"], or name the events.',
      );
    list?.forEach((name, at) => {
      if (name !== '*') needEvent(name, ['roles', index, 'allowed_events', at]);
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
      report(
        'DUPLICATE_NAME',
        'error',
        [section, index],
        `"${name}" stands twice under ${section}.`,
        'Rename or remove one of them.',
      );
    seen.add(name);
  });
  return seen;
}
