/** Changes of src/setup/ that must make a test fail. */
export default [
  {
    what: 'a value over several lines',
    find: 'splice(text, there.node.value.range, rendered)',
    replace: 'text',
    tests: ['test/hook/toml-table.test.ts'],
    only: 'a list over several lines: ',
  },
  {
    what: 'a client that connects to the daemon',
    find: '(lineOf(entry) ?? addressOf(entry))',
    replace: 'lineOf(entry)',
    tests: ['test/hook/inspect-setup.test.ts'],
  },
];
