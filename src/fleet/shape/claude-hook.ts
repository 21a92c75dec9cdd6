import type { HookAnswer, HookEvent, Invocations } from '../agent-hook.ts';
import { type JsonObject, jsonObjectOf, textOf } from '../../base/json-object.ts';

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

/** The events for which we install our hook. */
export const hookedEvents = {
  PreToolUse: 'pre-tool-use',
  PostToolUse: 'post-tool-use',
  SessionStart: 'session-start',
  Stop: 'stop',
} as const;

export const eventsLikeClaude = { ...hookedEvents, PostToolUseFailure: 'post-tool-use' } as const;

/** Reads the session's fields of a hook's input, which Codex, Gemini, Qwen and VS Code name like Claude Code. */
export function sessionLikeClaude(raw: JsonObject) {
  return {
    cwd: textOf(raw['cwd']),
    session: textOf(raw['session_id']),
    source: textOf(raw['source']),
    repeated: raw['stop_hook_active'] === true,
  };
}

/** Reads the same fields and the tool call. */
export function readLikeClaude(raw: JsonObject, namesOf: (name: string) => readonly string[]) {
  const name = textOf(raw['tool_name']);
  const input = jsonObjectOf(raw['tool_input']);
  return {
    tool: name === undefined ? undefined : { name, names: namesOf(name), input, id: textOf(raw['tool_use_id']) },
    ...sessionLikeClaude(raw),
  };
}

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
