import { fork } from 'node:child_process';

/** One process with an application of its own, driven by messages; see fixtures/worker.ts. */
export async function startWorker(product, { cwd, env }) {
  const child = fork(product.worker, [], { cwd, env, execArgv: [], serialization: 'advanced' });
  const waiting = new Map();
  let ids = 0;
  const gone = new Promise((resolve) => {
    child.once('exit', () => {
      for (const { reject } of waiting.values()) reject(new Error('a worker ended'));
      resolve();
    });
  });
  child.on('message', ({ id, answer, failure }) => {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (failure === undefined) resolve(answer);
    else reject(new Error(failure));
  });
  return {
    ask(action, input = {}) {
      ids += 1;
      const id = ids;
      const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
      child.send({ id, action, input });
      return answer;
    },
    async close() {
      if (child.connected) child.disconnect();
      await gone;
    },
  };
}

export async function startWorkers(product, project, count) {
  return Promise.all(
    Array.from({ length: count }, () => startWorker(product, { cwd: project.root, env: project.env })),
  );
}

export async function closeAll(things) {
  await Promise.all(things.map((one) => one?.close()));
}
