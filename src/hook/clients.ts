import { claude } from './client/claude.ts';
import type { HookClient } from './client.ts';
import { codex } from './client/codex.ts';
import { copilot } from './client/copilot.ts';
import { cursor } from './client/cursor.ts';
import { gemini } from './client/gemini.ts';
import { qwen } from './client/qwen.ts';

/** Every agent CLI whose hooks we answer. Adding one is a file here and a line. */
export const hookClients: readonly HookClient[] = [claude, codex, gemini, qwen, copilot, cursor];

export function findHookClient(id: string): HookClient | undefined {
  return hookClients.find((one) => one.id === id);
}
