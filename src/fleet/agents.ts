import type { AgentCli } from './agent-cli.ts';
import { claude } from './agent/claude.ts';
import { codex } from './agent/codex.ts';
import { command } from './agent/command.ts';
import { copilot } from './agent/copilot.ts';
import { cursor } from './agent/cursor.ts';
import { gemini } from './agent/gemini.ts';
import { opencode } from './agent/opencode.ts';
import { qwen } from './agent/qwen.ts';

export const agents: readonly AgentCli[] = [claude, codex, cursor, gemini, opencode, copilot, qwen, command];

export function findAgentCli(id: string): AgentCli {
  const found = agents.find((one) => one.id === id);
  if (found === undefined) throw new Error(`there is no agent CLI "${id}"`);
  return found;
}
