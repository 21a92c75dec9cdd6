import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sandboxPlace } from '../../src/sandbox/project-place.ts';
import { locate } from '../../src/config/locate.ts';
import { agents } from '../../src/fleet/agents.ts';
import { credentials } from '../../src/sandbox/credentials.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sekisho-place-'));
  mkdirSync(join(folder, 'project/.sekisho'), { recursive: true });
  for (const name of ['.aws', '.azure', '.config/gcloud', '.config/gh', 'keys'])
    mkdirSync(join(folder, 'home', name), { recursive: true });
  writeFileSync(join(folder, 'home/keys/google.json'), '{}');
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};
const shown = (
  started: string | undefined,
  more: Readonly<Record<string, string>> = {},
  allow: readonly string[] = [],
) => {
  const env = { HOME: join(folder, 'home'), XDG_DATA_HOME: join(folder, 'data'), ...more };
  const place = locate({ cwd: join(folder, 'project'), env });
  return sandboxPlace(place, env, { cwd: place.tree, session: undefined, started, allow }).allow;
};

test.each([
  ['claude', { CLAUDE_CODE_USE_BEDROCK: '1' }, ['~/.aws']],
  ['claude', { CLAUDE_CODE_USE_VERTEX: 'true' }, ['~/.config/gcloud']],
  ['claude', { CLAUDE_CODE_USE_FOUNDRY: '1' }, ['~/.azure']],
  ['claude', { CLAUDE_CODE_USE_BEDROCK: '0', AWS_PROFILE: 'x' }, []],
  ['gemini', { GOOGLE_GENAI_USE_VERTEXAI: 'true' }, ['~/.config/gcloud']],
  ['opencode', { AWS_PROFILE: 'x' }, ['~/.aws']],
  ['copilot', {}, ['~/.config/gh']],
  ['copilot', { GH_TOKEN: 'x' }, []],
  ['codex', { CLAUDE_CODE_USE_BEDROCK: '1' }, []],
  [undefined, { CLAUDE_CODE_USE_BEDROCK: '1' }, []],
] as const)('%s with %j gets what it logs in with, and no more: %j', (client, env, expected) => {
  expect(shown(client, env)).toEqual(expected);
});

test('a key that Google’s libraries are told of is there too', () => {
  const key = join(folder, 'home/keys/google.json');
  expect(shown('gemini', { GOOGLE_APPLICATION_CREDENTIALS: key })).toEqual(['~/.config/gcloud', key]);
});

test('the person’s own settings say so as well, the project’s do not', () => {
  write('project/.claude/settings.json', '{ "env": { "CLAUDE_CODE_USE_VERTEX": "1" } }');
  expect(shown('claude')).toEqual([]);
  write('home/.claude/settings.json', '{ "env": { "CLAUDE_CODE_USE_BEDROCK": 1 } }');
  expect(shown('claude')).toEqual(['~/.aws']);
  write('home/.claude/settings.json', 'no JSON');
  expect(shown('claude')).toEqual([]);
});

test('what the configuration allows stands beside it, once', () => {
  expect(shown('claude', { CLAUDE_CODE_USE_BEDROCK: '1' }, ['ssh-agent', '~/.aws'])).toEqual(['ssh-agent', '~/.aws']);
});

test.each(['docs/configuration.md', 'docs/ja/configuration.md'])('%s lists exactly what is hidden', (page) => {
  const text = readFileSync(join(import.meta.dirname, '../..', page), 'utf8');
  const [, table = ''] =
    /### (?:Credentials in the sandbox|サンドボックスと認証情報)\n.*?\n\n(\|.*?)\n\n/s.exec(text) ?? [];
  const listed = [...table.matchAll(/`~\/([^`]+)`/g)].map((match) => match[1]);
  const logins = agents.flatMap(({ places }) => places?.logins ?? []);
  expect(listed.toSorted()).toEqual([...credentials, ...logins].toSorted());
});
