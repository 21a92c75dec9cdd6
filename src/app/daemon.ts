import { readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { isPlain } from '../kernel/plain.ts';
import type { HookQuestion, HookReply } from '../hook/answer.ts';
import type { HookConfig } from '../config/hook.ts';
import type { Config } from '../config/load.ts';

const patienceMs = 3000;

/** Where a running daemon is found. */
function fileOf(home: string): string {
  return join(home, 'daemon.json');
}

/** Which database, without its password. */
function databaseName(db: string): string {
  return db.replace(/\/\/[^@/]*@/, '//');
}

/** Tells the hooks of this machine where the daemon is. Returns how to take it back. */
export async function announceDaemon(config: Pick<Config, 'project' | 'db'>, url: string): Promise<() => void> {
  const path = fileOf(config.project.home);
  const text = JSON.stringify({ url, pid: process.pid, db: databaseName(config.db) });
  await writeFile(path, `${text}\n`, { mode: 0o600 });
  return () => {
    try {
      if (readFileSync(path, 'utf8').trim() === text) rmSync(path);
    } catch {
      // Another daemon took over, or somebody tidied up.
    }
  };
}

/** The daemon's answer; undefined where there is none to be had, for whatever reason: then the hook connects itself. */
export async function askDaemon(config: HookConfig, question: HookQuestion): Promise<HookReply | undefined> {
  try {
    const { home, root } = config.project;
    const daemon: unknown = JSON.parse(readFileSync(fileOf(home), 'utf8'));
    if (!isPlain(daemon) || daemon['db'] !== databaseName(config.db) || typeof daemon['url'] !== 'string')
      return undefined;
    const token = readFileSync(join(home, 'agent.token'), 'utf8').trim();
    const address = new URL(`/hook/${encodeURIComponent(question.client)}`, daemon['url']);
    address.searchParams.set('project', root);
    if (question.event !== undefined) address.searchParams.set('event', question.event);
    if (config.runId !== undefined) address.searchParams.set('run-id', config.runId);
    address.searchParams.set('key', config.project.key);
    address.searchParams.set('fail', config.hookFail);
    address.searchParams.set('lang', config.lang);
    return await post(address, token, question.text);
  } catch {
    return undefined;
  }
}

function post(address: URL, token: string, body: string): Promise<HookReply | undefined> {
  return new Promise((done) => {
    const sent = request(
      address,
      {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        timeout: patienceMs,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', () => done(undefined));
        response.on('end', () =>
          done(
            response.statusCode === 200
              ? { text: Buffer.concat(chunks).toString('utf8'), note: noteOf(response.headers['sekisho-note']) }
              : undefined,
          ),
        );
      },
    );
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () => done(undefined));
    sent.end(body);
  });
}

function noteOf(header: string | string[] | undefined): string {
  return typeof header === 'string' ? decodeURIComponent(header) : '';
}
