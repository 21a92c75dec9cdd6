export default [
  {
    what: 'a configuration that is committed',
    find: 'if (!isNew) return undefined;',
    replace: '',
    tests: ['test/e2e/init.test.ts'],
    only: 'in a clone the configuration stays',
  },
];
