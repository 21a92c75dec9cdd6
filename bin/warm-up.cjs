'use strict';
// Fills the code cache of the package that this file lies in: `node bin/warm-up.cjs`. A build does it, and `init`.
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const greeting = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'warm-up', version: '0' } },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
  { id: 3, method: 'tools/call', params: { name: 'state_gate.get_state', arguments: {} } },
];

const toolUse = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'true' } };

/** Commands whose code belongs in the cache: what they compile is kept, one after the other. `input` goes to stdin, which stays open until `last` is answered. */
const commands = [
  {
    args: ['mcp'],
    input: greeting.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''),
    last: '"id":3',
  },
  // A hook is at its longest, and so best cached, while a run is open.
  { args: ['gate', 'create-run', '--process-id', 'exploration'] },
  { args: ['hook', 'pre-tool-use'], input: JSON.stringify(toolUse) },
  // Told nothing it ends, with its code loaded.
  { args: ['host', 'none'] },
];

const cwd = fs.mkdtempSync(path.join(os.tmpdir(), 'sekisho-warm-up-'));
// Nothing of the person who runs it: neither state nor project, nor what an agent CLI told its children.
const env = {
  PATH: process.env.PATH,
  HOME: cwd,
  XDG_DATA_HOME: path.join(cwd, 'data'),
  SEKISHO_DB: path.join(cwd, 'warm-up.db'),
  SEKISHO_CODE_CACHE: 'refresh',
};

function run({ args, input = '', last = '' }) {
  return new Promise((done) => {
    const child = spawn(process.execPath, [path.join(__dirname, 'sekisho'), ...args], { cwd, env, timeout: 30_000 });
    let said = '';
    let errors = '';
    const endIfAnswered = () => said.includes(last) && child.stdin.end();
    child.stdout.on('data', (chunk) => {
      said += chunk;
      endIfAnswered();
    });
    child.stderr.on('data', (chunk) => (errors += chunk));
    child.stdin.on('error', () => {}); // It may end without reading.
    child.stdin.write(input);
    endIfAnswered();
    child.once('close', (status) => {
      if (status !== 0) process.stderr.write(`sekisho ${args.join(' ')} did not end well:\n${errors}\n`);
      done();
    });
  });
}

async function main() {
  for (const command of commands) await run(command);
  fs.rmSync(cwd, { recursive: true, force: true });
}

void main();
