'use strict';
// Fills the code cache of this package: `node bin/warm-up.cjs`. The build and `init` run it.
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

/** Commands whose compiled code goes into the cache, run one after the other. `input` goes to stdin, which stays open until the output has `last`. */
const commands = [
  {
    args: ['mcp'],
    input: greeting.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''),
    last: '"id":3',
  },
  // An open run makes the next hook run all of its code, so that all of it is cached.
  { args: ['gate', 'create-run', '--process-id', 'exploration'] },
  { args: ['hook', 'pre-tool-use'], input: JSON.stringify(toolUse) },
  // Without a ticket on stdin the host ends, with its code loaded.
  { args: ['host', 'none'] },
];

const cwd = fs.mkdtempSync(path.join(os.tmpdir(), 'sekisho-warm-up-'));
// The environment has nothing of the person who runs it: no state, no project, no variables of an agent CLI.
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
      if (status !== 0) process.stderr.write(`sekisho ${args.join(' ')} failed:\n${errors}\n`);
      done();
    });
  });
}

async function main() {
  for (const command of commands) await run(command);
  fs.rmSync(cwd, { recursive: true, force: true });
}

void main();
