const config = ['test/config/hook.test.ts'];

export default [
  {
    what: 'keys of an earlier configuration',
    find: 'found.digest === digest && ',
    replace: '',
    tests: ['test/e2e/hook.test.ts'],
    only: 'without compiled keys',
  },
  {
    what: 'keys of a version that knew fewer',
    find: ' && names.every((name) => Object.hasOwn(found.keys, name))',
    replace: '',
    tests: ['test/e2e/hook.test.ts'],
    only: 'without compiled keys',
  },
  {
    what: 'keys of what is only tried',
    find: 'if (around.configuration === undefined) await',
    replace: 'await',
    tests: config,
    only: 'compiled again',
  },
];
