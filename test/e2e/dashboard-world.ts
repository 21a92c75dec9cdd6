import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import type { World } from './world.ts';

/** What a page holds once it is signed in. */
export interface SignedIn {
  readonly url: string;
  readonly cookie: string;
  readonly key: string;
}

export interface ApiReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  // Tests read arbitrary fields of answers.
  readonly body: Record<string, any>;
}

/** One request as it is: `fetch` would not let us send the headers of a browser. */
export function send(
  url: string,
  settings: { method?: string; headers?: Readonly<Record<string, string>>; body?: string } = {},
): Promise<ApiReply> {
  return new Promise((done, fail) => {
    const sent = request(url, { method: settings.method ?? 'GET', headers: settings.headers ?? {} }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        let body: Record<string, any> = {};
        try {
          body = JSON.parse(text) as Record<string, any>;
        } catch {
          body = { text };
        }
        done({ status: response.statusCode ?? 0, headers: response.headers, body });
      });
    });
    sent.on('error', fail);
    sent.end(settings.body);
  });
}

export const asJson = { 'Content-Type': 'application/json' };

/** A link as `sekisho open --print` prints it, as a person. */
export async function makeLink(world: World, args: readonly string[] = []): Promise<string> {
  const { stdout, stderr } = await world.person(['open', '--print', ...args]);
  if (!stdout.includes('#')) throw new Error(`no link: ${stderr}`);
  return stdout.trim();
}

export function signInWith(link: string): Promise<ApiReply> {
  const { origin, hash } = new URL(link);
  const body = JSON.stringify({ code: hash.slice(1) });
  return send(`${origin}/api/sign_in`, { method: 'POST', headers: asJson, body });
}

export async function signIn(world: World, args: readonly string[] = []): Promise<SignedIn> {
  await world.daemon();
  const link = await makeLink(world, args);
  const { headers, body } = await signInWith(link);
  return { url: new URL(link).origin, cookie: cookieIn(headers), key: body['key'] as string };
}

export function cookieIn(headers: ApiReply['headers']): string {
  return String(headers['set-cookie']).split(';')[0] ?? '';
}

/** Calls an operation as the page does. */
export function callApi(
  { url, cookie, key }: SignedIn,
  address: string,
  input: object = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<ApiReply> {
  return send(`${url}/api/${address}`, {
    method: 'POST',
    headers: { ...asJson, Cookie: cookie, 'Sekisho-Key': key, ...headers },
    body: JSON.stringify(input),
  });
}

export interface StreamEvent {
  readonly id: string;
  readonly event: string;
  readonly data: Record<string, any>;
}

/** The stream as it comes, until it is closed. */
export function openStream(
  { url, cookie, key }: SignedIn,
  project: string,
  headers: Readonly<Record<string, string>> = {},
): { readonly events: StreamEvent[]; readonly status: Promise<number>; readonly ended: Promise<void>; close(): void } {
  const events: StreamEvent[] = [];
  const address = `${url}/api/stream?project=${encodeURIComponent(project)}`;
  const sent = request(address, { headers: { Cookie: cookie, 'Sekisho-Key': key, ...headers } });
  let end: () => void = () => undefined;
  const ended = new Promise<void>((done) => (end = done));
  const status = new Promise<number>((done, fail) => {
    sent.once('error', fail);
    sent.once('response', (response) => {
      done(response.statusCode ?? 0);
      let rest = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        const parts = (rest + chunk).split('\n\n');
        rest = parts.pop() ?? '';
        for (const part of parts) {
          const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(part)?.[1];
          if (field('data') !== undefined)
            events.push({
              id: field('id') ?? '',
              event: field('event') ?? 'message',
              data: JSON.parse(field('data') ?? '{}') as Record<string, any>,
            });
        }
      });
      response.once('close', end);
      response.once('error', () => undefined);
    });
  });
  sent.end();
  return { events, status, ended, close: () => sent.destroy() };
}

/** A run that waits for a reviewer, with evidence. */
export async function makeWaiting(world: World, note = 'The note.\n', context: object = {}): Promise<string> {
  world.write(
    '.sekisho/processes/note.yaml',
    `process: { id: note, version: "1", name: Note, initial_state: write }
states: [{ name: write }, { name: review }, { name: done, is_final: true }]
events:
  - { name: submit, allowed_roles: [agent] }
  - { name: approve, allowed_roles: [reviewer] }
  - { name: reject, allowed_roles: [reviewer] }
transitions:
  - { from: write, event: submit, to: review, guard: has_note }
  - { from: review, event: approve, to: done, guard: approved }
  - { from: review, event: reject, to: write }
guards:
  has_note: { type: artifact, artifact_type: note, condition: exists }
  approved: { type: approval, role: reviewer, event: approve, min_count: 1 }
artifacts: [{ type: note, path: note.md }]
roles:
  - { name: agent, allowed_events: [submit] }
  - { name: reviewer, allowed_events: [approve, reject], can_approve: true, can_reject: true }
`,
  );
  world.write('note.md', note);
  const { value } = await world.call('state_gate.create_run', { process_id: 'note', context });
  const run = String(value['run_id']);
  await world.call('state_gate.emit_event', {
    run_id: run,
    event_name: 'submit',
    expected_revision: 0,
    idempotency_key: `k-${run}`,
    artifact_paths: ['note.md'],
  });
  return run;
}

/**
 * A run that waits for people to approve the difference of the work tree, with files that were handed in. With `stays` an approval
 * is only recorded, and the agent's `finish` moves the run on.
 */
export async function makeChange(
  world: World,
  files: Readonly<Record<string, string | Buffer>>,
  { minCount = 1, stays = false } = {},
): Promise<string> {
  const id = `change-${minCount}${stays ? '-stays' : ''}`;
  world.write(
    `.sekisho/processes/${id}.yaml`,
    `process: { id: ${id}, version: "1", name: Change, initial_state: work }
states: [{ name: work }, { name: review }, { name: done, is_final: true }]
events:
  - { name: submit, allowed_roles: [agent] }
  - { name: finish, allowed_roles: [agent] }
  - { name: approve, allowed_roles: [reviewer] }
  - { name: reject, allowed_roles: [reviewer] }
transitions:
  - { from: work, event: submit, to: review }
${stays ? '  - { from: review, event: approve, to: review }\n' : ''}\
  - { from: review, event: ${stays ? 'finish' : 'approve'}, to: done, guard: approved }
  - { from: review, event: reject, to: work }
guards:
  approved: { type: approval, role: reviewer, min_count: ${minCount}, difference: true }
`,
  );
  const { value } = await world.call('state_gate.create_run', { process_id: id });
  const run = String(value['run_id']);
  for (const [path, content] of Object.entries(files)) writeFileSync(join(world.project, path), content);
  await world.call('state_gate.emit_event', {
    run_id: run,
    event_name: 'submit',
    expected_revision: 0,
    idempotency_key: `k-${run}`,
    artifact_paths: Object.keys(files),
  });
  return run;
}
