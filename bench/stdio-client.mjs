import { spawn } from 'node:child_process';

export const hello = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'sekisho-bench', version: '1.0.0' },
};

/** JSON-RPC over pipes and nothing more: a client library would add its own time to ours. */
export function startStdio([program, ...args], { root, env }) {
  const child = spawn(program, args, { cwd: root, env, stdio: ['pipe', 'pipe', 'pipe'] });
  const waiting = new Map();
  const listeners = new Set();
  let errors = '';
  let rest = '';
  let ids = 0;
  const gone = new Promise((resolve) => {
    child.once('exit', () => {
      for (const { reject } of waiting.values()) reject(new Error(`${program} ${args.join(' ')} ended: ${errors}`));
      resolve();
    });
  });
  child.stderr.on('data', (data) => (errors = (errors + data).slice(-4000)));
  child.stdin.on('error', () => {});
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (data) => {
    const lines = (rest + data).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const message = JSON.parse(line);
      if (message.id === undefined) for (const listener of listeners) listener(message);
      waiting.get(message.id)?.resolve(message);
      waiting.delete(message.id);
    }
  });

  function send(message) {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  function request(method, params) {
    ids += 1;
    const id = ids;
    const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    send({ id, method, params });
    return answer.then(resultOf);
  }

  return {
    request,
    notify: (method) => send({ method }),
    /** Resolves when the server sends this notification the next time. */
    notified: (method) =>
      new Promise((resolve) => {
        const listener = (message) => {
          if (message.method !== method) return;
          listeners.delete(listener);
          resolve();
        };
        listeners.add(listener);
      }),
    async open() {
      await request('initialize', hello);
      send({ method: 'notifications/initialized' });
    },
    call: async (name, input = {}) => answerOf(name, await request('tools/call', { name, arguments: input })),
    async close() {
      child.stdin.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), 3000);
      await gone;
      clearTimeout(timer);
    },
  };
}

/** A server that is started and initialized. */
export async function openStdio(command, place) {
  const client = startStdio(command, place);
  await client.open();
  return client;
}

export function resultOf(message) {
  if (message.error !== undefined) throw new Error(JSON.stringify(message.error));
  return message.result;
}

/** A call that failed would be a fast one: it must never count as a sample. */
export function answerOf(name, result) {
  if (result.isError === true) throw new Error(`${name} refused: ${result.content[0].text}`);
  return result.structuredContent;
}
