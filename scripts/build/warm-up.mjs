import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

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

/** Commands whose code belongs in the code cache: what they compile is kept, one after the other. `input` goes to stdin. */
const commands = [
  { args: ['--version'] },
  { args: ['mcp'], input: greeting.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('') },
  // A hook is at its longest, and so best cached, while a run is open.
  { args: ['gate', 'create-run', '--process-id', 'exploration'] },
  { args: ['hook', 'pre-tool-use'], input: JSON.stringify(toolUse) },
];

export function warmUp(root) {
  const cwd = mkdtempSync(path.join(tmpdir(), 'sekisho-warm-up-'));
  const env = { ...process.env, SEKISHO_CODE_CACHE: 'refresh', SEKISHO_DB: path.join(cwd, 'warm-up.db') };
  delete env.NODE_EXTRA_CA_CERTS;
  for (const { args, input = '' } of commands) {
    const { status, stderr } = spawnSync(process.execPath, [path.join(root, 'bin', 'sekisho'), ...args], {
      cwd,
      env,
      input,
      encoding: 'utf8',
      timeout: 5000,
    });
    if (status !== 0) process.stderr.write(`sekisho ${args.join(' ')} did not end well after the build:\n${stderr}\n`);
  }
  rmSync(cwd, { recursive: true, force: true });
}
