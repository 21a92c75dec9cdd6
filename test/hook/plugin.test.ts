import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadCatalogue } from '../../src/app/catalogue.ts';
import { claude } from '../../src/fleet/agent/claude.ts';
import { invocations } from '../../src/setup/invocation.ts';

const root = join(import.meta.dirname, '../..');
const text = (path: string) => readFileSync(join(root, path), 'utf8');
const json = (path: string) => JSON.parse(text(path)) as Record<string, any>;

/** What the plugin tells the model: commands and skills, each with its head. */
const written = [
  ...readdirSync(join(root, 'plugin/commands')).map((name) => `plugin/commands/${name}`),
  ...readdirSync(join(root, 'plugin/skills')).map((name) => `plugin/skills/${name}/SKILL.md`),
].map((path) => ({ path, text: text(path) }));

describe('the plugin for Claude Code', () => {
  test('leads to us by the very lines that `init --shared` writes', () => {
    const call = invocations('claude', {
      scope: 'shared',
      shim: '',
      tree: '',
      repository: '',
      env: { HOME: '/home/ann' },
    });
    const lines = claude.setup?.(call).map((file) => ('json' in file ? file.json : {}));
    expect([json('plugin/hooks/hooks.json'), json('plugin/.mcp.json')]).toEqual(lines);
  });

  test('is packed, is what the marketplace points to, and has the version of the package', () => {
    const { version, files } = json('package.json');
    const { plugins } = json('.claude-plugin/marketplace.json');
    expect(files).toEqual(expect.arrayContaining(['.claude-plugin', 'plugin']));
    expect(plugins).toHaveLength(1);
    expect(json(join(plugins[0].source as string, '.claude-plugin/plugin.json'))).toMatchObject({
      name: plugins[0].name,
      version,
    });
  });

  test('speaks only of commands and tools that there are', async () => {
    const commands = readdirSync(join(root, 'plugin/commands')).map((name) => `/sekisho:${name.replace(/\.md$/, '')}`);
    expect(commands).toEqual(expect.arrayContaining(['/sekisho:start', '/sekisho:status', '/sekisho:submit']));
    const tools = (await loadCatalogue()).operations.map((one) => one.name.replaceAll('.', '_'));
    const papers = [
      'README.md',
      'README.ja.md',
      'docs/clients.md',
      'docs/ja/clients.md',
      '.claude-plugin/marketplace.json',
    ];
    const all = [...written, ...papers.map((path) => ({ path, text: text(path) }))];
    const named = all.flatMap((one) => one.text.match(/\/sekisho:[a-z-]+/g) ?? []);
    expect(new Set(named)).toEqual(new Set(commands));
    const called = written.flatMap((one) => one.text.match(/\bstate_gate_[a-z_]+/g) ?? []);
    expect(called.length).toBeGreaterThan(6);
    expect(called.filter((name) => !tools.includes(name))).toEqual([]);
  });

  test('describes each of them, commands in both languages', () => {
    for (const { path, text: page } of written) {
      const head = parse(/^---\n(.*?)^---$/ms.exec(page)?.[1] ?? '') as Record<string, string>;
      expect(head['description'], path).toMatch(path.includes('/commands/') ? / · .*[぀-ヿ]/ : /\w/);
      if (head['name'] !== undefined) expect(existsSync(join(root, 'plugin/skills', head['name']))).toBe(true);
    }
  });
});
