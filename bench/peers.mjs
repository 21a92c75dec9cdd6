import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { getPackage } from '../scripts/get-package.mjs';
import { atExit } from './clean-up.mjs';

const versions = { 'mcp-proxy': '6.7.19', supergateway: '4.0.0', 'mcp-hub': '4.2.1' };

function folderOf(name) {
  return getPackage(name, versions[name]);
}

/**
 * Gateways that people use today, each before the same stdio upstream: how it is started on a port, and how a client
 * reaches it. Each with its own defaults, as far as it then keeps one session over one upstream process.
 */
export const peers = [
  {
    name: `mcp-proxy ${versions['mcp-proxy']}`,
    transport: 'streamable',
    start: (port, command) => [
      path.join(folderOf('mcp-proxy'), 'dist/bin/mcp-proxy.mjs'),
      '--host=127.0.0.1',
      `--port=${port}`,
      '--server=stream',
      '--',
      ...command,
    ],
  },
  {
    name: `supergateway ${versions.supergateway}`,
    transport: 'streamable',
    start: (port, command) => [
      path.join(folderOf('supergateway'), 'dist/index.js'),
      `--stdio=${command.join(' ')}`,
      '--outputTransport=streamableHttp',
      '--stateful',
      '--logLevel=none',
      `--port=${port}`,
    ],
  },
  {
    name: `mcp-hub ${versions['mcp-hub']}`,
    transport: 'sse',
    tool: 'floor__echo',
    start(port, [program, ...args], folder) {
      const config = path.join(folder, 'mcp-hub.json');
      writeFileSync(config, JSON.stringify({ mcpServers: { floor: { command: program, args } } }));
      return [path.join(folderOf('mcp-hub'), 'dist/cli.js'), '--port', String(port), '--config', config];
    },
  },
];

export async function startPeer(peer, command, { root, env }) {
  const port = await freePort();
  const child = spawn(process.execPath, peer.start(port, command, root), {
    cwd: root,
    env,
    stdio: 'ignore',
    // Its own process group: the upstream that it starts must end with it.
    detached: true,
  });
  const end = () => {
    try {
      process.kill(-Number(child.pid), 'SIGKILL');
    } catch {
      // It has ended.
    }
  };
  atExit(end);
  const url = `http://127.0.0.1:${port}`;
  for (const until = Date.now() + 20_000; !(await answers(port)); await pause(50))
    if (child.exitCode !== null || Date.now() > until) throw new Error(`${peer.name} did not start`);
  return { url, token: '', close: end };
}

function answers(port) {
  return new Promise((resolve) => {
    const request = http.get({ host: '127.0.0.1', port, path: '/nothing-here', agent: false }, (response) => {
      response.resume();
      resolve(true);
    });
    request.on('error', () => resolve(false));
  });
}

function freePort() {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
