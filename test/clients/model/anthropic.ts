import type { ServerResponse } from 'node:http';
import type { Reply, Seen } from './model.ts';

interface Block {
  readonly type: string;
  readonly content?: unknown;
  readonly text?: string;
}

/** One request of the Messages API. */
export function readAnthropic(body: Readonly<Record<string, unknown>>): Seen {
  const tools = (body['tools'] ?? []) as readonly { name: string }[];
  const messages = (body['messages'] ?? []) as readonly { content: string | readonly Block[] }[];
  const blocks = messages.flatMap((one) => (typeof one.content === 'string' ? [] : one.content));
  const results = blocks.filter((one) => one.type === 'tool_result').map((one) => textOf(one.content));
  return { tools: tools.map((one) => one.name), results, body };
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map((one: Block) => one.text ?? '').join('\n') : '';
}

let serial = 0;

/** The Messages API's stream of events, or one message where no stream is asked for. */
export function answerAnthropic(response: ServerResponse, body: Readonly<Record<string, unknown>>, reply: Reply): void {
  const id = `msg_${++serial}`;
  const content = [
    ...(reply.text === undefined ? [] : [{ type: 'text', text: reply.text }]),
    ...(reply.calls ?? []).map((call, index) => ({
      type: 'tool_use',
      id: `toolu_${serial}_${index}`,
      name: call.name,
      input: call.input,
    })),
  ];
  const stop = (reply.calls ?? []).length > 0 ? 'tool_use' : 'end_turn';
  const usage = { input_tokens: 100, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 20 };
  const message = { id, type: 'message', role: 'assistant', model: body['model'], stop_sequence: null, usage };
  if (body['stream'] !== true) {
    response
      .writeHead(200, { 'Content-Type': 'application/json' })
      .end(JSON.stringify({ ...message, content, stop_reason: stop }));
    return;
  }
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  const send = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  send('message_start', { message: { ...message, content: [], stop_reason: null } });
  for (const [index, block] of content.entries()) {
    if ('text' in block) {
      send('content_block_start', { index, content_block: { type: 'text', text: '' } });
      send('content_block_delta', { index, delta: { type: 'text_delta', text: block.text } });
    } else {
      send('content_block_start', { index, content_block: { ...block, input: {} } });
      send('content_block_delta', {
        index,
        delta: { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
      });
    }
    send('content_block_stop', { index });
  }
  send('message_delta', { delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 20 } });
  send('message_stop', {});
  response.end();
}
