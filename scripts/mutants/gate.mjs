const gate = ['test/e2e/gate.test.ts'];
const guards = ['test/e2e/gate-guards.test.ts'];

const binding = ['test/hostile/binding.test.ts'];

export default [
  {
    what: 'a worktree stands alone where the configuration says so',
    find: 'return !hasOwn && !project.worktreesAlone;',
    replace: 'return !hasOwn;',
    tests: binding,
    only: 'stands alone',
  },
  {
    what: 'an agent gives a worktree no run in place of the main checkout’s',
    find: 'const instead = actor.person || context.project.worktreesAlone;',
    replace: 'const instead = true;',
    tests: binding,
    only: 'is no way out',
  },
  {
    what: 'the break after a transition won',
    find: 'if (subject.deciding && holds(one)) break;',
    replace: '',
    tests: guards,
    only: 'a program of a later transition',
  },
  {
    what: 'guarded transitions come first',
    find: 'return [...all.filter((one) => one.guards.length > 0), ...all.filter((one) => one.guards.length === 0)];',
    replace: 'return all.toReversed();',
    tests: gate,
    only: 'gate.emit.order-of-transitions',
  },
  {
    what: 'every guard of a transition must hold',
    find: 'return judged.verdicts.every(({ verdict }) => verdict.satisfied);',
    replace: 'return judged.verdicts.length === 0 || judged.verdicts.some(({ verdict }) => verdict.satisfied);',
    tests: guards,
    only: 'gate.guards.command',
  },
  {
    what: 'a guard’s variable that the event does not declare',
    find: "else if (read.has(key) && !declared.includes(key)) ignored.set(key, 'undeclared');",
    replace: '',
    tests: gate,
    only: 'gate.emit.guarded-variable',
  },
  {
    what: 'the payload narrowed by the event',
    find: 'if (event.context !== undefined && !event.context.includes(key)) ignored',
    replace: 'if (event.context !== undefined && event.context.length > 1000) ignored',
    tests: gate,
    only: 'gate.emit.context',
  },
  {
    what: 'the states that were left',
    find: 'visited: moved && !from.visited.includes(from.state) ? [...from.visited, from.state] : from.visited,',
    replace: 'visited: from.visited,',
    tests: gate,
    only: 'gate.summary',
  },
  {
    what: 'new files make earlier approvals worthless',
    find: 'return artifacts.every((one) => given.get(one.path) === one.digest);',
    replace: 'return true;',
    tests: guards,
    only: 'an approval is not for files',
  },
  {
    what: 'files that the gate found make them worthless too',
    find: 'if (left.length < earlier.length) {',
    replace: 'if (left.length > earlier.length) {',
    tests: guards,
    only: 'gate.guards.artifact-exists',
  },
  {
    what: 'who submitted cannot leave an approval',
    find: 'const counts = !isAgents(mine.actor) && !submitters.has(mine.actor);',
    replace: 'const counts = !isAgents(mine.actor);',
    tests: guards,
    only: 'gate.guards.approval',
  },
  {
    what: 'who submitted does not count as an approver',
    find: '[...people].filter((person) => !submitters.has(person)).length;',
    replace: '[...people].length;',
    tests: guards,
    only: 'gate.guards.approval',
  },
  {
    what: 'a copy does not count twice',
    find: 'counted.add(one.digest);',
    replace: 'counted.add(one.path);',
    tests: gate,
    only: 'gate.artifacts.distinct',
  },
  {
    what: 'a command that nobody trusted',
    find: 'if (!(await look.trusted()))',
    replace: 'if (line === "")',
    tests: guards,
    only: 'gate.trust',
  },
  {
    what: 'evidence that changed while a command ran',
    find: `const result = await run(launch, look, spec.timeout_ms);
    for (const file of saw) {`,
    replace: `const result = await run(launch, look, spec.timeout_ms);
    for (const file of saw.slice(saw.length)) {`,
    tests: guards,
    only: 'gate.guards.command-bound',
  },
  {
    what: 'what could not be found out is no "no"',
    find: 'if (verdict.undetermined === true) return verdict;',
    replace: '',
    tests: guards,
    only: 'gate.guards.combined',
  },
  {
    what: 'denied comes before everything',
    find: "if (permissions.denied.some((rule) => matchesRule(rule, call, 'some'))) return 'deny';",
    replace: '',
    tests: guards,
    only: 'gate.policy',
  },
  {
    what: 'the same key with another request',
    find: 'if (past.request !== digest)',
    replace: 'if (past.request === "")',
    tests: gate,
    only: 'gate.emit.key-reused',
  },
  {
    what: 'a file of the work tree that cannot be read',
    find: "if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;\n    throw error;",
    replace: 'return undefined;',
    tests: ['test/gate/worktree.test.ts'],
    only: 'cannot be read',
  },
  {
    what: 'the expected revision',
    find: 'if (run.revision !== request.expectedRevision) throw',
    replace: 'if (run.revision < 0) throw',
    tests: gate,
    only: 'gate.emit.conflict',
  },
];
