import { claude } from './claude.ts';
import type { HookClient } from './client.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { cursor } from './cursor.ts';
import { gemini } from './gemini.ts';
import { qwen } from './qwen.ts';

/** Every agent CLI whose hooks we answer. Adding one is a file here and a line. */
export const hookClients: readonly HookClient[] = [claude, codex, gemini, qwen, copilot, cursor];

export function findHookClient(id: string): HookClient | undefined {
  return hookClients.find((one) => one.id === id);
}
