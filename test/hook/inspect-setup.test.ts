import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { everyClient, partsOf, putParts } from '../../src/setup/install.ts';
import { openDraft } from '../../src/setup/draft.ts';
import { findHookTrust, inspectClient } from '../../src/setup/inspect-setup.ts';

/** A home and a project in it, with these files in the home. */
function makePlace(files: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = {}) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'sekisho-look-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const tree = join(home, 'project');
  mkdirSync(tree);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  return { shim: '/x/sekisho', tree, repository: tree, env: { HOME: home, ...env }, home };
}

function findClient(id: string) {
  const client = everyClient.find((one) => one.id === id);
  if (client === undefined) throw new Error(`no client ${id}`);
  return client;
}

const url = 'http://127.0.0.1:9696/mcp?project=/p';
const headers = { Authorization: 'Bearer ${SEKISHO_AGENT_TOKEN}' };
const inJson = (key: string, entry: object) => JSON.stringify({ [key]: { sekisho: entry } });

/** The address of the daemon in the settings of each client, as its documentation spells it. */
const spellings: readonly (readonly [client: string, file: string, text: string])[] = [
  ['claude', '.claude.json', inJson('mcpServers', { type: 'http', url, headers })],
  ['claude', 'project/.mcp.json', inJson('mcpServers', { type: 'http', url, headers })],
  [
    'codex',
    '.codex/config.toml',
    `[mcp_servers.sekisho]\nurl = '${url}' # the daemon\nbearer_token_env_var = "SEKISHO_AGENT_TOKEN"\n`,
  ],
  [
    'codex',
    '.codex/config.toml',
    `[mcp_servers]\nsekisho = { url = "${url}", http_headers = { Authorization = "Bearer x" } }\n`,
  ],
  ['gemini', '.gemini/settings.json', inJson('mcpServers', { httpUrl: url, headers })],
  ['gemini', '.gemini/settings.json', inJson('mcpServers', { type: 'http', url, headers })],
  ['qwen', '.qwen/settings.json', inJson('mcpServers', { httpUrl: url, headers })],
  ['copilot', '.copilot/mcp-config.json', inJson('mcpServers', { type: 'http', url, headers, tools: ['*'] })],
  ['cursor', '.cursor/mcp.json', inJson('mcpServers', { url, headers })],
  ['opencode', '.config/opencode/opencode.json', inJson('mcp', { type: 'remote', url, headers, enabled: true })],
  ['vscode', 'project/.vscode/mcp.json', inJson('servers', { type: 'http', url, headers })],
];

describe('a client that connects to the daemon instead of starting a server', () => {
  test.each(spellings)('%s, in %s', (id, file, text) => {
    const calling = makePlace({ [file]: text });
    expect(inspectClient(findClient(id), calling).server).toEqual({
      url,
      authorization: expect.any(String) as unknown,
    });
  });

  test.each(spellings)('%s: init leaves that entry of %s as it is', (id, file, text) => {
    const calling = makePlace({ [file]: text });
    const scope = file.startsWith('project/') ? 'shared' : 'own';
    const draft = openDraft();
    putParts(draft, partsOf(findClient(id), { ...calling, scope }, false));
    const path = join(calling.home, file);
    const after = draft.read(path)?.toString() ?? '';
    expect(after).toContain(url);
    expect(after).not.toContain('"mcp"]');
    expect(after).not.toContain('command = ');
  });

  test('one that sends no token is told from one that does', () => {
    const calling = makePlace({ '.cursor/mcp.json': inJson('mcpServers', { url }) });
    expect(inspectClient(findClient('cursor'), calling).server).toEqual({ url, authorization: undefined });
  });
});

describe('what Codex records about trust in our hook', () => {
  const hooks = JSON.stringify({
    hooks: {
      PreToolUse: [
        { matcher: '.*', hooks: [{ type: 'command', command: '/x/sekisho hook pre-tool-use --client codex' }] },
      ],
    },
  });
  /** As `hooks/list` of Codex 0.169.0 has it for that hook. */
  const digest = 'sha256:ce38019c7c4c9683c765748bbdb3efe30daf9f29f9dc360727a827d41e20a681';
  const stateOf = (folder: string, lines: string) =>
    `[hooks.state."${folder}/hooks.json:pre_tool_use:0:0"]\n${lines}\n`;
  const trustIn = (lines: string | undefined, at = '.codex', more = '') => {
    const calling = makePlace({ [`${at}/hooks.json`]: hooks });
    mkdirSync(join(calling.home, '.codex'), { recursive: true });
    const state = lines === undefined ? '' : stateOf(join(calling.home, at), lines);
    writeFileSync(join(calling.home, '.codex/config.toml'), state + more.replaceAll('TREE', calling.tree));
    return findHookTrust(findClient('codex'), calling);
  };

  test('the digest of exactly this hook is trust', () => {
    expect(trustIn(`trusted_hash = "${digest}"`)).toBe('trusted');
    expect(trustIn(`enabled = true\ntrusted_hash = '${digest}'`)).toBe('trusted');
  });

  test('no digest, another one, and a hook that is switched off are none', () => {
    expect(trustIn(undefined)).toBe('untrusted');
    expect(trustIn('trusted_hash = "sha256:beef"')).toBe('changed');
    expect(trustIn(`trusted_hash = "${digest}"\nenabled = false`)).toBe('disabled');
  });

  test('trust in the folder is no trust in the hook', () => {
    expect(trustIn(undefined, '.codex', '[projects."TREE"]\ntrust_level = "trusted"\n')).toBe('untrusted');
  });

  test('hooks of the project need both', () => {
    const trusted = `trusted_hash = "${digest}"`;
    expect(trustIn(trusted, 'project/.codex')).toBe('folder');
    const folder = '[projects."TREE"]\ntrust_level = "trusted"\n';
    expect(trustIn(trusted, 'project/.codex', folder)).toBe('trusted');
    expect(trustIn(undefined, 'project/.codex', folder)).toBe('untrusted');
  });

  test('CODEX_HOME may be a link, which Codex resolves', () => {
    const calling = makePlace({ 'real/hooks.json': hooks });
    symlinkSync(join(calling.home, 'real'), join(calling.home, 'link'));
    const state = stateOf(join(calling.home, 'real'), `trusted_hash = "${digest}"`);
    writeFileSync(join(calling.home, 'real/config.toml'), state);
    const env = { ...calling.env, CODEX_HOME: join(calling.home, 'link') };
    expect(findHookTrust(findClient('codex'), { ...calling, env })).toBe('trusted');
  });

  test('a client that asks for no such trust has none, and neither has Codex without our hook', () => {
    const calling = makePlace({});
    expect(findHookTrust(findClient('claude'), calling)).toBeUndefined();
    expect(findHookTrust(findClient('codex'), calling)).toBeUndefined();
  });
});
