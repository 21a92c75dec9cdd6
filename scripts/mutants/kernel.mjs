const advance = ['test/kernel/in-advance.test.ts'];

export default [
  {
    what: 'who may not hears nothing else',
    find: 'await permitted();\n  return output;',
    replace: 'return output;',
    tests: advance,
  },
  {
    what: 'a commit on a condition that does not hold',
    find: 'store.commit([condition, ...writes], journal)',
    replace: 'store.commit(writes, journal)',
    tests: advance,
  },
  {
    what: 'what is permitted once is permitted',
    find: 'if (outcome.done) asked ??= Promise.resolve();',
    replace: '',
    tests: advance,
  },
  {
    what: 'a commit that nobody confirmed is told',
    find: 'if (failed !== undefined) throw failed.error;',
    replace: '',
    tests: advance,
  },
];
