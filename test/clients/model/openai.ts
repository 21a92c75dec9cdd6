import type { ServerResponse } from 'node:http';
import type { Reply, Seen } from './model.ts';

interface Item {
  readonly type?: string;
  readonly output?: unknown;
}

interface Tool {
  readonly type: string;
  readonly name?: string;
  readonly tools?: readonly Tool[];
}

/** One request of the Responses API. */
export function readOpenai(body: Readonly<Record<string, unknown>>): Seen {
  const tools = (body['tools'] ?? []) as readonly Tool[];
  const input = (Array.isArray(body['input']) ? body['input'] : []) as readonly Item[];
  const results = input.filter((one) => one.type?.endsWith('_output') === true).map((one) => textOf(one.output));
  const names = tools.flatMap((one) => [
    one.name ?? one.type,
    ...(one.tools ?? []).map((inner) => `${one.name ?? ''}/${inner.name ?? ''}`),
  ]);
  return { tools: names, results, body };
}

function textOf(output: unknown): string {
  return typeof output === 'string' ? output : JSON.stringify(output);
}

let serial = 0;

/** The Responses API's stream of events, as far as Codex needs it. */
export function answerOpenai(response: ServerResponse, reply: Reply): void {
  const id = `resp_${++serial}`;
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  const send = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  send('response.created', { response: { id } });
  const items = [
    ...(reply.text === undefined
      ? []
      : [
          {
            type: 'message',
            role: 'assistant',
            id: `msg_${serial}`,
            content: [{ type: 'output_text', text: reply.text }],
          },
        ]),
    ...(reply.calls ?? []).map((call, index) => ({
      type: 'function_call',
      id: `fc_${serial}_${index}`,
      call_id: `call_${serial}_${index}`,
      name: call.name,
      ...(call.namespace !== undefined && { namespace: call.namespace }),
      arguments: JSON.stringify(call.input),
    })),
  ];
  for (const [index, item] of items.entries()) {
    send('response.output_item.added', { output_index: index, item });
    send('response.output_item.done', { output_index: index, item });
  }
  const usage = {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 20,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 120,
  };
  send('response.completed', { response: { id, status: 'completed', output: items, usage } });
  response.end();
}
