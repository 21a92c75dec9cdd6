const fleet = ['test/e2e/fleet.test.ts'];
const hosts = ['test/e2e/fleet-hosts.test.ts'];
const tally = ['test/fleet/tally.test.ts'];
const plan = ['test/fleet/plan.test.ts'];

export default [
  {
    what: 'the slice: a host that was refused gives nothing back',
    find: 'const { writes, entries } = endOwn(context, row, endWithoutWork(',
    replace:
      "const { writes, entries } = await (await import('../agent-rows.ts')).endAgent(context, row, endWithoutWork(",
    tests: ['test/e2e/work-runner.test.ts'],
    only: 'leaves alone what another instance',
  },
  {
    what: 'secrets at a restart',
    find: 'if (!here || attempts >= mostAttempts || needsSecrets(row)) {',
    replace: 'if (!here || attempts >= mostAttempts) {',
    tests: ['test/e2e/work-runner.test.ts'],
    only: 'is not started again without the secrets',
  },
  {
    what: 'an error after an answer',
    find: 'return { ...tally, error: fact.message, activity: fact.message };',
    replace: 'return { ...tally, ...(!tally.named && { error: fact.message }), activity: fact.message };',
    tests: tally,
  },
  { what: 'an answer after an error', find: 'named: true, error: undefined,', replace: 'named: true,', tests: tally },
  {
    what: 'what it made and then changed',
    find: 'if (created.includes(path)) return tally;',
    replace: '',
    tests: tally,
  },
  {
    what: 'two callers and the last room',
    find: 'update fleet_capacity set revision = revision + 1 where project = :project and revision = :revision',
    replace: 'update fleet_capacity set revision = revision + 1 where project = :project and revision >= :revision',
    tests: ['test/fleet/capacity.test.ts'],
  },
  {
    what: 'cancelling what has ended',
    find: "if (row['status'] !== 'running') return false;",
    replace: "if (row['status'] !== 'running') return true;",
    tests: fleet,
    only: 'stdio.*fleet.states',
  },
  {
    what: 'a time limit is no failure',
    find: "if (reason === 'timeout') return 'timedOut';",
    replace: '',
    tests: fleet,
    only: 'stdio.*fleet.states',
  },
  {
    what: 'the token of an agent that has ended',
    find: 'revokeWrite(tokenLabel(id)),',
    replace: '',
    tests: hosts,
    only: 'fleet.host.revoked',
  },
  {
    what: 'what a dead host left',
    find: 'await endTree(treeOf(row), 0);',
    replace: '',
    tests: hosts,
    only: 'fleet.host.dead',
  },
  {
    what: 'a stage waits for the one before',
    find: "if (stage === plan.current) return { kind: 'wait' };",
    replace: '',
    tests: plan,
  },
  {
    what: 'a stage waits for room',
    find: "if (open.length > room) return { kind: 'blocked', stage };",
    replace: '',
    tests: plan,
  },
  {
    what: 'a reported failure ends a plan',
    find: "return member.outcome === 'completed' && (member.reported ?? 'success') === 'success';",
    replace: "return member.outcome === 'completed';",
    tests: plan,
  },
  {
    what: 'the pause after a restore',
    find: 'if (pause !== undefined) throw pausedProblem(pause);',
    replace: 'void pause;',
    tests: ['test/e2e/backup.test.ts'],
    only: 'restore.paused',
  },
  {
    what: 'trust in another hook of Codex',
    find: "? 'trusted' : 'changed'",
    replace: "? 'trusted' : 'trusted'",
    tests: ['test/hook/inspect-setup.test.ts'],
  },
  {
    what: 'heartbeats without a journal entry',
    find: 'const hasNews = facts !== undefined && JSON.stringify(facts) !== JSON.stringify(sentFacts);',
    replace: 'const hasNews = facts !== undefined;',
    tests: ['test/e2e/fleet-hosts.test.ts'],
    only: 'fleet.beats',
  },
];
