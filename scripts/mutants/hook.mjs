const hook = ['test/e2e/hook.test.ts'];

export default [
  {
    what: 'another client’s receipt',
    find: "one['client'] === hook.client && ",
    replace: '',
    tests: hook,
    only: 'gate.hook.receipts',
  },
  {
    what: 'an agent is held up once',
    find: 'const blocks = missing.length > 0 && !said;',
    replace: 'const blocks = missing.length > 0;',
    tests: hook,
    only: 'gate.hook.stop',
  },
  {
    what: 'a client that cannot ask',
    find: '(canAsk ? said : withoutAsking(said, tool.names))',
    replace: 'said',
    tests: hook,
    only: 'gate.hook.ask',
  },
  {
    what: 'a client that asks through another one’s file',
    find: 'const client = findAskingAgent(entry, raw);',
    replace: 'const client = entry;',
    tests: hook,
    only: 'VS Code asks by its own file',
  },
];
