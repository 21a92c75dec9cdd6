import type { HookAnswer, HookEvent, Invocations } from '../agent-hook.ts';
import type { JsonObject } from '../../base/json-object.ts';

/** Formats hook output for Claude Code; Codex and Qwen adopted the format. */
export function writeLikeClaude(answer: HookAnswer): string {
  switch (answer.kind) {
    case 'none':
      return '';
    case 'deny':
    case 'ask':
      return JSON.stringify({
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: answer.kind,
          permissionDecisionReason: answer.reason,
        },
      });
    case 'context':
      return JSON.stringify({ hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: answer.text } });
    case 'block':
      return JSON.stringify({ decision: 'block', reason: answer.reason });
  }
}

/** Reads a hook's timestamp. Copilot sends milliseconds to its own hooks, and a date to Claude Code's. */
export function momentOf(timestamp: unknown): { readonly moment?: number } {
  const moment = typeof timestamp === 'string' ? Date.parse(timestamp) : timestamp;
  return typeof moment === 'number' && Number.isFinite(moment) ? { moment } : {};
}

export const eventsLikeClaude = {
  PreToolUse: 'pre-tool-use',
  PostToolUse: 'post-tool-use',
  PostToolUseFailure: 'post-tool-use',
  SessionStart: 'session-start',
  Stop: 'stop',
} as const;

/** Builds `{ Event: [{ matcher, hooks: [{ type, command }] }] }`, the format of Claude Code, Codex, Gemini and Qwen. */
export function hookGroups(
  call: Pick<Invocations, 'hook'>,
  events: Events,
  matcher: string,
): Record<string, JsonObject[]> {
  return groups(events, matcher, (event) => ({ type: 'command', command: call.hook(event) }));
}

/** Builds the same groups with HTTP hooks, which Claude Code calls without starting a process. */
export function httpHookGroups(
  url: string,
  token: string,
  events: Events,
  matcher: string,
): Record<string, JsonObject[]> {
  const headers = { Authorization: `Bearer ${token}` };
  return groups(events, matcher, (event) => ({ type: 'http', url: `${url}?event=${event}`, headers }));
}

type Events = Readonly<Record<string, HookEvent>>;

const toolEvents: readonly HookEvent[] = ['pre-tool-use', 'post-tool-use'];

function groups(events: Events, matcher: string, hook: (event: HookEvent) => JsonObject): Record<string, JsonObject[]> {
  return Object.fromEntries(
    Object.entries(events).map(([name, event]) => [
      name,
      [{ ...(toolEvents.includes(event) && { matcher }), hooks: [hook(event)] }],
    ]),
  );
}
