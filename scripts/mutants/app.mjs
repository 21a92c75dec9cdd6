const hook = ['test/e2e/hook.test.ts'];

export default [
  {
    what: 'a person of any user database',
    find: 'keys.includes(key);',
    replace: 'true;',
    tests: ['test/app/user/admitted.test.ts'],
    only: 'nobody else',
  },
  {
    what: 'a token suffices in an older store elsewhere',
    find: 'return terminal || isInside(db, place.data.state)',
    replace: 'return true || isInside(db, place.data.state)',
    tests: ['test/app/user/admitted.test.ts'],
    only: 'nobody by a token',
  },
  {
    what: 'a run may be current where the store is not known',
    find: 'known ? storeOf(here) : () => Promise.reject(fault)',
    replace: 'storeOf(here)',
    tests: hook,
    only: 'without compiled keys',
  },
  {
    what: 'a fault holds up an agent that stops',
    find: "return event === undefined || event === 'pre-tool-use';",
    replace: 'return true;',
    tests: hook,
    only: 'gate.hook.fault',
  },
];
