const work = ['test/e2e/work.test.ts'];
const details = ['test/e2e/work-details.test.ts'];
const runner = ['test/e2e/work-runner.test.ts'];

export default [
  {
    what: 'renewal of a session',
    find: 'if (leftMs > (sessionSeconds * 1000) / 2) return;',
    replace: 'if (leftMs > 0) return;',
    tests: details,
    only: 'a session that is used in its second half',
  },
  {
    what: 'withdrawing hand-offs of a task that is done',
    find: `writes: [withdrawHandoffs(task.id)],
      note: { ...note, ...forced },`,
    replace: 'note: { ...note, ...forced },',
    tests: work,
    only: 'a task that is closed takes back',
  },
  {
    what: 'withdrawing hand-offs of a task that is cancelled',
    find: '...(isClosed(to) && { writes: [withdrawHandoffs(task.id)] }),',
    replace: '',
    tests: work,
    only: 'a task that is closed takes back',
  },
  {
    what: 'open dependencies',
    find: 'if (open.length > 0) throw problem.DEPENDENCIES_OPEN(',
    replace: 'if (open.length > 1000) throw problem.DEPENDENCIES_OPEN(',
    tests: work,
    only: 'work.dependencies',
  },
  {
    what: 'the table of moves',
    find: 'if (!possible.includes(to))',
    replace: 'if (possible.length === 0)',
    tests: work,
    only: 'work.moves',
  },
  {
    what: 'a process that is not over',
    find: 'if (standing?.is_final === true) return { run: task.runId };',
    replace: 'if (standing !== undefined) return { run: task.runId };',
    tests: details,
    only: 'work.process.*stdio|stdio.*work.process',
  },
  {
    what: 'only a person forces',
    find: 'if (!context.actor.person) throw refusal.force();',
    replace: '',
    tests: details,
    only: 'stdio.*work.process.force',
  },
  {
    what: 'a task that another works on',
    find: 'if (task.claim === undefined || context.actor.person || task.claim.agentId === provenAgent(context)) return;',
    replace: "if (task.claim === undefined || context.actor.person || provenAgent(context) !== '') return;",
    tests: details,
    only: 'work.task.claim',
  },
  {
    what: 'the lock-out',
    find: "if (row === undefined || Number(row['failures']) < tries) return false;",
    replace: "if (row === undefined || Number(row['failures']) < 10 * tries) return false;",
    tests: details,
    only: 'work.authenticate.lockout',
  },
  {
    what: 'an execution whose session expired',
    find: "expired: 'error',",
    replace: "expired: 'completed',",
    tests: details,
    only: 'work.session.expiry',
  },
  {
    what: 'the expected revision of a task',
    find: 'if (expected !== undefined && task.revision !== expected)',
    replace: 'if (expected !== undefined && task.revision < expected)',
    tests: work,
    only: 'work.task.fields',
  },
  {
    what: 'a pair that rests',
    find: 'if (failures === 0 || failedAt === null) return undefined;',
    replace: 'if (failures < 1000 || failedAt === null) return undefined;',
    tests: runner,
    only: 'stdio.*work.runner.cooldown',
  },
  {
    what: 'the rest grows',
    find: 'Math.min(firstMs * 2 ** (failures - 1), mostMs)',
    replace: 'Math.min(firstMs * 2, mostMs)',
    tests: ['test/work/runner.test.ts'],
  },
];
