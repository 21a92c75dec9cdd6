/** Changes of src/daemon/ that must make a test fail. */
export default [
  {
    what: 'a folder that has another store now',
    find: 'const key = JSON.stringify(place);',
    replace: 'const key = JSON.stringify([place.root, place.tree]);',
    tests: ['test/e2e/locate.test.ts'],
    only: 'long-named root',
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
