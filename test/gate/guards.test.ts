import { describe, expect, test } from 'vitest';
import { artifactTypesIn, countedIn, guards, isExpensive, programsIn, variablesIn } from '../../src/gate/guards.ts';

const named = {
  reviewed: { type: 'approval', role: 'reviewer' },
  tested: { type: 'command', command: ['npm', 'test'] },
  both: { type: 'all', guards: ['reviewed', { type: 'not', guard: 'tested' }] },
  circle: { type: 'any', guards: ['circle', { type: 'context', variable: 'ready', condition: 'exists' }] },
  odd: { type: 'approval', event: 7 },
  files: { type: 'any', guards: [{ type: 'artifact', artifact_type: 'report' }, 'tested'] },
};

describe('what guards say of themselves', () => {
  test('an approval is counted by its event, with the default that its kind reads', () => {
    expect(countedIn(['reviewed'], named)).toEqual([{ event: 'approve', role: 'reviewer' }]);
    expect(countedIn([{ type: 'approval', event: 'sign' }])).toEqual([{ event: 'sign', role: undefined }]);
  });

  test('guards inside others are asked too, by name and in place', () => {
    expect(countedIn(['both'], named)).toEqual([{ event: 'approve', role: 'reviewer' }]);
    expect(programsIn(['both', 'files'], named)).toEqual(['npm test']);
    expect(artifactTypesIn(['files'], named)).toEqual(['report']);
    expect(isExpensive('both', named)).toBe(true);
    expect(isExpensive('reviewed', named)).toBe(false);
  });

  test('a guard that contains itself is asked once', () => {
    expect(variablesIn(['circle'], named)).toEqual(['ready']);
  });

  test('what its kind cannot read, or nobody knows, says nothing', () => {
    expect(countedIn(['odd', 'missing', { type: 'unheard-of' }], named)).toEqual([]);
  });
});

test('every kind reads its own type and no other', () => {
  for (const { type, parameters } of guards)
    expect(parameters.safeParse({ type: `${type}x` }).success, type).toBe(false);
  expect(new Set(guards.map((one) => one.type)).size).toBe(guards.length);
});
