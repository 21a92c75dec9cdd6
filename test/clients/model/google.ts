import type { ServerResponse } from 'node:http';
import type { Reply, Seen } from './model.ts';

interface Part {
  readonly functionResponse?: { readonly response?: unknown };
}

/** One request of the Gemini API. */
export function readGoogle(body: Readonly<Record<string, unknown>>): Seen {
  const tools = (body['tools'] ?? []) as readonly { readonly functionDeclarations?: readonly { name: string }[] }[];
  const contents = (body['contents'] ?? []) as readonly { readonly parts?: readonly Part[] }[];
  const results = contents
    .flatMap((one) => one.parts ?? [])
    .filter((part) => part.functionResponse !== undefined)
    .map((part) => textOf(part.functionResponse?.response));
  return { tools: tools.flatMap((one) => one.functionDeclarations ?? []).map((one) => one.name), results, body };
}

function textOf(response: unknown): string {
  const { output, error } = (response ?? {}) as { output?: unknown; error?: unknown };
  const said = output ?? error ?? response;
  return typeof said === 'string' ? said : JSON.stringify(said);
}

/** The Gemini API's answer, whole or as a stream of one piece. */
export function answerGoogle(response: ServerResponse, streamed: boolean, reply: Reply): void {
  const parts = [
    ...(reply.text === undefined ? [] : [{ text: reply.text }]),
    ...(reply.calls ?? []).map((call) => ({ functionCall: { name: call.name, args: call.input } })),
  ];
  const answer = JSON.stringify({
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 },
    modelVersion: 'mock-model',
  });
  response.writeHead(200, { 'Content-Type': streamed ? 'text/event-stream' : 'application/json' });
  response.end(streamed ? `data: ${answer}\n\n` : answer);
}
