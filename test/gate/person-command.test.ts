import { describe, expect, test } from 'vitest';
import { readDefinition } from '../../src/gate/definition/file.ts';
import { personCommands } from '../../src/gate/definition/person-command.ts';

function asked(transitions: object[], guards: object = {}): readonly string[] {
  const body = {
    id: 'p',
    version: '1',
    initial_state: 'a',
    states: [{ name: 'a' }, { name: 'b', is_final: true }],
    events: [{ name: 'go' }, { name: 'approve', allowed_roles: ['reviewer'] }, { name: 'confirm' }],
    transitions,
    guards,
  };
  const { definition, findings } = readDefinition('p.yaml', JSON.stringify(body));
  if (definition === undefined) throw new Error(JSON.stringify(findings));
  return personCommands({ id: 'run-1', revision: 4, state: 'a', definition });
}

describe('what an agent is told to ask for', () => {
  const go = { from: 'a', event: 'go', to: 'b' };
  const own = { from: 'a', event: 'approve', to: 'b' };
  const confirm = { from: 'a', event: 'confirm', to: 'a' };

  test('is an approval, however deep the guard for it stands', () => {
    const deep = { type: 'any', guards: [{ type: 'all', guards: ['yes'] }] };
    const yes = { type: 'approval', role: 'reviewer' };
    expect(asked([{ ...go, guards: ['deep'] }, own], { deep, yes })).toEqual(['sekisho approve run-1']);
  });

  test('is an event of its own where `sekisho approve` does not give it', () => {
    const yes = { type: 'approval', role: 'lead', event: 'confirm' };
    expect(asked([{ ...go, guards: ['yes'] }, confirm], { yes })).toEqual([
      'sekisho gate emit-event --run-id run-1 --event-name confirm --role lead --expected-revision 4 --idempotency-key confirm-4',
    ]);
  });

  test('is a reviewer’s own way out, where an agent has none', () => {
    expect(asked([own, { ...go, to: 'a' }])).toEqual(['sekisho approve run-1']);
    expect(asked([own, go])).toEqual([]);
  });
});
