import type { ServerResponse } from 'node:http';
import type { Reply, Seen } from './model.ts';

interface Part {
  readonly type?: string;
  readonly content?: unknown;
  readonly text?: string;
}

interface Message {
  readonly role: string;
  readonly content: string | readonly Part[];
}

/** One request of the Messages API. */
export function readAnthropic(body: Readonly<Record<string, unknown>>): Seen {
  const tools = (body['tools'] ?? []) as readonly { readonly name: string }[];
  const messages = (body['messages'] ?? []) as readonly Message[];
  const results = messages
    .flatMap((one) => (typeof one.content === 'string' ? [] : one.content))
    .filter((part) => part.type === 'tool_result')
    .map((part) => textOf(part.content));
  return { tools: tools.map((one) => one.name), results, body };
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return JSON.stringify(content ?? '');
  return (content as Part[]).map((part) => part.text ?? JSON.stringify(part)).join('\n');
}

let serial = 0;

/** The Messages API's stream of events, as far as Claude Code needs it. */
export function answerAnthropic(response: ServerResponse, body: Readonly<Record<string, unknown>>, reply: Reply): void {
  const id = `msg_${++serial}`;
  const usage = { input_tokens: 100, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  const send = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  send('message_start', {
    message: {
      id,
      type: 'message',
      role: 'assistant',
      model: body['model'],
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...usage, output_tokens: 1 },
    },
  });
  const blocks = [
    ...(reply.text === undefined
      ? []
      : [{ start: { type: 'text', text: '' }, delta: { type: 'text_delta', text: reply.text } }]),
    ...(reply.calls ?? []).map((call, index) => ({
      start: { type: 'tool_use', id: `toolu_${serial}_${index}`, name: call.name, input: {} },
      delta: { type: 'input_json_delta', partial_json: JSON.stringify(call.input) },
    })),
  ];
  for (const [index, { start, delta }] of blocks.entries()) {
    send('content_block_start', { index, content_block: start });
    send('content_block_delta', { index, delta });
    send('content_block_stop', { index });
  }
  const stop = (reply.calls ?? []).length > 0 ? 'tool_use' : 'end_turn';
  send('message_delta', { delta: { stop_reason: stop, stop_sequence: null }, usage: { ...usage, output_tokens: 20 } });
  send('message_stop', {});
  response.end();
}
