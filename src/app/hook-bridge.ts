import { request } from 'node:http';
import type { HookQuestion, HookReply } from '../hook/answer.ts';

const patienceMs = 5000;

/** Sends a hook's question to the daemon outside. Throws if there is no answer, because a sandbox must not decide itself. */
export function askThroughSocket(socketPath: string, { client, event, text }: HookQuestion): Promise<HookReply> {
  const address = new URL(`http://localhost/hook/${encodeURIComponent(client)}`);
  if (event !== undefined) address.searchParams.set('event', event);
  return postQuestion(address, { socketPath, headers: { Host: 'localhost' }, timeout: patienceMs }, text);
}

interface PostOptions {
  readonly socketPath?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeout: number;
}

/** Posts a question to a daemon. Throws if there is no answer. */
export function postQuestion(address: URL, options: PostOptions, text: string): Promise<HookReply> {
  return new Promise((resolve, reject) => {
    const headers = { ...options.headers, 'Content-Type': 'application/json' };
    const sent = request(address, { ...options, method: 'POST', headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode !== 200) return reject(new Error(`it answered ${response.statusCode}`));
        const note = response.headers['sekisho-note'];
        const answer = Buffer.concat(chunks).toString('utf8');
        return resolve({ text: answer, note: typeof note === 'string' ? decodeURIComponent(note) : '' });
      });
    });
    sent.on('timeout', () => sent.destroy(new Error('it did not answer in time')));
    sent.on('error', reject);
    sent.end(text);
  });
}
