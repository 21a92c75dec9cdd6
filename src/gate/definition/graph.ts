import { type Definition, type Transition, guardName } from './definition.ts';

export type GraphFormat = 'mermaid' | 'dot';

/** Draws the state machine as text in a graph language. `current` marks the state of a run. */
export function drawGraph(definition: Definition, format: GraphFormat, current?: string): string {
  return format === 'dot' ? dot(definition, current) : mermaid(definition, current);
}

function label(transition: Transition): string {
  const guards = transition.guards.map(guardName).join(', ');
  return guards === '' ? transition.event : `${transition.event} [${guards}]`;
}

function mermaid(definition: Definition, current: string | undefined): string {
  const ids = new Map(definition.states.map((state, index) => [state.name, `s${index}`]));
  const id = (name: string) => ids.get(name) ?? name;
  const plain = (text: string) => text.replaceAll(/["\n;#]/g, ' ').replaceAll(':', '∶');
  return [
    'stateDiagram-v2',
    ...definition.states.map((state) => `  state "${plain(state.name)}" as ${id(state.name)}`),
    `  [*] --> ${id(definition.initial_state)}`,
    ...definition.transitions.map((one) => `  ${id(one.from)} --> ${id(one.to)}: ${plain(label(one))}`),
    ...definition.states.filter((state) => state.is_final).map((state) => `  ${id(state.name)} --> [*]`),
    ...(current === undefined
      ? []
      : ['  classDef current stroke-width:4px,font-weight:bold', `  class ${id(current)} current`]),
    '',
  ].join('\n');
}

function dot(definition: Definition, current: string | undefined): string {
  const quote = (text: string) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
  return [
    `digraph ${quote(definition.id)} {`,
    '  rankdir=LR;',
    '  node [shape=box, style=rounded];',
    '  start [shape=point];',
    ...definition.states.map((state) => {
      const marks = [...(state.is_final ? ['peripheries=2'] : []), ...(state.name === current ? ['penwidth=3'] : [])];
      return `  ${quote(state.name)}${marks.length > 0 ? ` [${marks.join(', ')}]` : ''};`;
    }),
    `  start -> ${quote(definition.initial_state)};`,
    ...definition.transitions.map((one) => `  ${quote(one.from)} -> ${quote(one.to)} [label=${quote(label(one))}];`),
    '}',
    '',
  ].join('\n');
}
