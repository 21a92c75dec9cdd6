import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { answerAnthropic, readAnthropic } from './anthropic.ts';
import { answerGoogle, readGoogle } from './google.ts';
import { answerOpenai, readOpenai } from './openai.ts';

/**
 * A model on loopback that follows a script, for real agent CLIs.
 *
 *   const model = await startModel([
 *     { calls: [{ name: 'Write', input: { file_path: 'a.txt', content: 'a' } }] },
 *     (seen) => ({ calls: [{ name: 'Bash', input: { command: `echo ${seen.results.length}` } }] }),
 *     { text: 'Done.' },
 *   ]);
 *   … run Claude Code with ANTHROPIC_BASE_URL = model.url, or Codex with base_url = `${model.url}/v1` (wire_api "responses")
 *   model.seen   what each turn was asked, with the results of the calls before it
 *   await model.close();
 *
 * Requests without tools (titles, summaries) are answered with a word and use up no turn. After the script's end
 * every request is answered "Done."
 */
export interface Call {
  readonly name: string;
  /** Codex: the namespace of an MCP tool, `mcp__server`. */
  readonly namespace?: string;
  readonly input: object;
}

export interface Reply {
  readonly text?: string;
  readonly calls?: readonly Call[];
}

/** What the model is shown in one request. */
export interface Seen {
  readonly tools: readonly string[];
  /** Results of tool calls in the conversation so far, oldest first, as text. */
  readonly results: readonly string[];
  readonly body: Readonly<Record<string, unknown>>;
}

export type Turn = Reply | ((seen: Seen) => Reply);

export interface Model {
  readonly url: string;
  readonly seen: Seen[];
  close(): Promise<void>;
}

export async function startModel(script: readonly Turn[]): Promise<Model> {
  const seen: Seen[] = [];
  let at = 0;
  const next = (request: Seen): Reply => {
    if (request.tools.length === 0) return { text: 'ok' };
    seen.push(request);
    const turn = script[at++] ?? { text: 'Done.' };
    return typeof turn === 'function' ? turn(request) : turn;
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const text = Buffer.concat(chunks).toString('utf8');
    const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
    if (path.endsWith('/count_tokens'))
      return void response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"input_tokens":100}');
    if (path.endsWith('/messages')) return answerAnthropic(response, body, next(readAnthropic(body)));
    if (path.endsWith('/responses')) return answerOpenai(response, next(readOpenai(body)));
    if (/:(stream)?generateContent$/i.test(path))
      return answerGoogle(response, path.includes(':stream'), next(readGoogle(body)));
    return void response
      .writeHead(404, { 'Content-Type': 'application/json' })
      .end('{"error":{"type":"not_found_error","message":"not here"}}');
  };
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${address.port}`,
    seen,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
