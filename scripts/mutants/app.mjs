const hook = ['test/e2e/hook.test.ts'];

export default [
  {
    what: 'a folder that has another store now',
    find: 'const key = JSON.stringify(place);',
    replace: 'const key = JSON.stringify([place.root, place.tree]);',
    tests: ['test/e2e/locate.test.ts'],
    only: 'long-named root',
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
