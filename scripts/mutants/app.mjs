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
  {
    what: 'a second daemon beside the first',
    find: "!holdLock(join(data.state, 'daemon.lock'))",
    replace: 'false',
    tests: ['test/e2e/one-daemon.test.ts'],
    only: 'a second up says',
  },
  {
    what: 'the address of a daemon that is gone',
    find: 'if (daemon === undefined || !isAlive(daemon.pid, daemon.start)) return undefined;',
    replace: 'if (daemon === undefined) return undefined;',
    tests: ['test/e2e/one-daemon.test.ts'],
    only: 'a record whose process is another one',
  },
];
