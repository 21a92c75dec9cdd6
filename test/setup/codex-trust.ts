import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes what Codex writes when a person trusts the hooks of this home. */
export function trustCodexHooks(home: string): void {
  const file = join(home, '.codex/hooks.json');
  const { hooks } = JSON.parse(readFileSync(file, 'utf8')) as {
    hooks: { PreToolUse: { matcher: string; hooks: { command: string }[] }[] };
  };
  const [group] = hooks.PreToolUse;
  const identity = {
    event_name: 'pre_tool_use',
    hooks: [{ async: false, command: group?.hooks[0]?.command, timeout: 600, type: 'command' }],
    matcher: group?.matcher,
  };
  const digest = createHash('sha256').update(JSON.stringify(identity)).digest('hex');
  const state = `[hooks.state."${file}:pre_tool_use:0:0"]\ntrusted_hash = "sha256:${digest}"\n`;
  appendFileSync(join(home, '.codex/config.toml'), `\n${state}`);
}
