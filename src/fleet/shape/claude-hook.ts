import type { HookAnswer, HookEvent, Invocations } from '../agent-hook.ts';
import type { Plain } from '../../kernel/plain.ts';

/** Claude Code's answers, which Codex and Qwen took over. */
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
      return JSON.stringify({
        hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: answer.text },
      });
    case 'block':
      return JSON.stringify({ decision: 'block', reason: answer.reason });
  }
}

export const eventsLikeClaude = {
  PreToolUse: 'pre-tool-use',
  PostToolUse: 'post-tool-use',
  PostToolUseFailure: 'post-tool-use',
  SessionStart: 'session-start',
  Stop: 'stop',
} as const;

/** `{ Event: [{ matcher, hooks: [{ type: 'command', command }] }] }`, as Claude Code, Codex, Gemini and Qwen have it. */
export function hookGroups(
  call: Invocations,
  events: Readonly<Record<string, HookEvent>>,
  matcher: string,
): Record<string, Plain[]> {
  const toolEvents: readonly HookEvent[] = ['pre-tool-use', 'post-tool-use'];
  return Object.fromEntries(
    Object.entries(events).map(([name, event]) => [
      name,
      [
        {
          ...(toolEvents.includes(event) && { matcher }),
          hooks: [{ type: 'command', command: call.hook(event) }],
        },
      ],
    ]),
  );
}
