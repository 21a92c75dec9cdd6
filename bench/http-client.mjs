import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { createInterface } from 'node:readline';
import { atExit } from './clean-up.mjs';
import { answerOf, hello, resultOf } from './stdio-client.mjs';

/** A process that prints one line of JSON with its url, and perhaps the files of its tokens, when it is ready. */
export async function startServer([program, ...args], { root, env }) {
  const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  // It does not notice when the benchmark ends.
  atExit(() => child.kill('SIGKILL'));
  let errors = '';
  child.stderr.on('data', (data) => (errors = (errors + data).slice(-4000)));
  const gone = new Promise((resolve) => child.once('exit', resolve));
  const line = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    void gone.then(() => reject(new Error(`${program} ${args.join(' ')} ended: ${errors}`)));
  });
  const { url, tokens } = JSON.parse(line);
  return {
    url,
    token: tokens === undefined ? '' : readFileSync(tokens.agent, 'utf8').trim(),
    async close() {
      child.kill('SIGTERM');
      await gone;
    },
  };
}

export function startDaemon(project) {
  return startServer([project.sekisho, 'up', '--port', '0', '--json'], project);
}

/** One session of the 2025 era on a connection that is kept: what today's clients do. */
export async function openHttp({ url, token }, { maxSockets = 1 } = {}) {
  const agent = new http.Agent({ keepAlive: true, maxSockets });
  let session;
  let ids = 0;

  async function send(message) {
    const { status, headers, body } = await post(`${url}/mcp`, { jsonrpc: '2.0', ...message }, agent, {
      Accept: 'application/json, text/event-stream',
      Authorization: `Bearer ${token}`,
      ...(session !== undefined && { 'Mcp-Session-Id': session, 'MCP-Protocol-Version': hello.protocolVersion }),
    });
    session ??= headers['mcp-session-id'];
    if (status >= 300) throw new Error(`${status} ${body}`);
    if (message.id === undefined) return undefined;
    return resultOf(headers['content-type'].startsWith('text/event-stream') ? lastEvent(body) : JSON.parse(body));
  }

  await send({ id: 0, method: 'initialize', params: hello });
  await send({ method: 'notifications/initialized' });
  return {
    async call(name, input = {}) {
      ids += 1;
      return answerOf(name, await send({ id: ids, method: 'tools/call', params: { name, arguments: input } }));
    },
    close: () => agent.destroy(),
  };
}

export function post(url, body, agent, headers) {
  const text = JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const options = {
      method: 'POST',
      agent,
      headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text), ...headers },
    };
    const request = http.request(url, options, (response) => {
      let received = '';
      response.setEncoding('utf8');
      response.on('data', (data) => (received += data));
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body: received }));
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end(text);
  });
}

function lastEvent(body) {
  const data = body.split('\n').filter((line) => line.startsWith('data: {'));
  return JSON.parse(data.at(-1).slice(6));
}
