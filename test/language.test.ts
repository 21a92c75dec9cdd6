import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from '@swc/core';
import { expect, test } from 'vitest';

/** What a person reads exists in both languages: its English stands beside the code, its Japanese in a `ja.ts`. */
const root = join(import.meta.dirname, '..');

const sources = ['src', 'dashboard'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts') && !/(?:^|\/)ja\.ts$/.test(name))
    .map((name) => `${folder}/${name}`),
);

/** What no person reads, or what has to be the same in every language; each with its reason. */
const elsewhere: readonly (readonly [reason: string, place: RegExp])[] = [
  [
    'programs and models speak over these: codes and protocol errors',
    /^src\/surface\/(?:http|mcp|stdio)\/|^src\/kernel\/message-size/,
  ],
  ['endpoints for programs', /^src\/(?:hook\/endpoint|phase\/endpoints|upstream\/link\/health)\.ts$/],
  [
    'files that are written for programs: shells, completion, marks',
    /^src\/(?:command\/completion|hook\/visible-paths|setup\/(?:invocation|own-copy|setup-part))\.ts$/,
  ],
  ['the code that the demo works on', /^src\/command\/demo\/project\.ts$/],
  ['words of other programs that are recognised', /^src\/(?:command\/frame\/wrong-flag|config\/test-command)\.ts$/],
  ['reasons for the log', /^src\/notify\/sende?r?\.ts$/],
  [
    'what is said to an upstream, over the protocol and in the log',
    /^src\/upstream\/(?:link\/(?:client-connection|link|health)|relay\/(?:calls|ledger|questions)|wire\/(?:child|peer))\.ts$/,
  ],
  ['how an agent’s own stream ended, kept as it was said', /^src\/fleet\/(?:agent|shape|role\/probe)/],
  ['prompts of roles, which models read', /^src\/fleet\/role\/roles\.ts$/],
  ['messages of commits', /^src\/change\/commit-tree\.ts$/],
  ['a definition has one text, and its digest', /^src\/phase\/plan\/plan\.ts$/],
  ['evidence: the same trees give the same text in every language', /^src\/(?:gate\/evidence|base)\/difference\.ts$/],
  [
    'the English half of what kernel/text/issue.ts and json-fault.ts say',
    /^src\/gate\/definition\/(?:wording|json-fault)\.ts$/,
  ],
];

interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

interface Sentence {
  readonly text: string;
  readonly line: number;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** Every string that reads as English, outside of texts in both languages, types, imports and thrown bugs. */
function englishIn(code: string, tsx: boolean): readonly Sentence[] {
  // Spans count bytes, on through all that was parsed before: what comes first in this file is its beginning.
  const bytes = Buffer.from(code);
  const program = parseSync(code, { syntax: 'typescript', tsx });
  const found: Sentence[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (typeof value !== 'object' || value === null) return;
    if (isNode(value)) {
      if (isElsewhere(value)) return;
      const text = textOf(value);
      if (text !== undefined && readsAsEnglish(text)) found.push({ text, line: lineOf(value) });
    }
    Object.values(value).forEach(visit);
  };
  const lineOf = (node: Node): number => {
    const at = (node['span'] as { start: number }).start - program.span.start + leading(code);
    return bytes.subarray(0, at).toString().split('\n').length;
  };
  visit(program.body);
  return found;
}

/** swc's program begins at its first token. */
function leading(code: string): number {
  const comments = /^(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*/.exec(code)?.[0] ?? '';
  return Buffer.byteLength(comments);
}

function textOf(node: Node): string | undefined {
  if (node.type === 'StringLiteral' || node.type === 'JSXText') return String(node['value']);
  if (node.type !== 'TemplateLiteral') return undefined;
  return (node['quasis'] as readonly { cooked?: string }[]).map((one) => one.cooked ?? '').join('…');
}

function isElsewhere(node: Node): boolean {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'TsTypeAnnotation':
    case 'TsTypeAliasDeclaration':
    case 'TsInterfaceDeclaration':
    case 'TsLiteralType':
    case 'RegExpLiteral':
      return true;
    // `words.ts` and `ja.ts` have the Japanese of these, or they do not compile.
    case 'VariableDeclarator':
      return String((node['id'] as { value?: unknown }).value).startsWith('english');
    // `{ en: …, ja: … }`
    case 'KeyValueProperty':
      return ['en', 'ja'].includes(String((node['key'] as { value?: unknown }).value));
    // A bug, for the developer who fixes it.
    case 'NewExpression':
      return String((node['callee'] as { value?: unknown }).value).endsWith('Error');
    // The operators' log is English.
    case 'CallExpression':
      return isLog(node['callee']) || isTranslated(node['callee']);
    case 'JSXAttribute':
      return (node['name'] as { value?: unknown }).value === 'className';
    default:
      return false;
  }
}

/** `words('…')`. The English of a described field is looked at by its own test. */
function isTranslated(callee: unknown): boolean {
  return isNode(callee) && callee.type === 'Identifier' && ['described', 'words'].includes(String(callee['value']));
}

function isLog(callee: unknown): boolean {
  if (!isNode(callee) || callee.type !== 'MemberExpression') return false;
  const [object, property] = [callee['object'], callee['property']] as [Node, Node];
  const name = object.type === 'MemberExpression' ? (object['property'] as Node)['value'] : object['value'];
  return name === 'log' && ['error', 'warn', 'info', 'debug'].includes(String(property['value']));
}

const little =
  /\b(?:a|an|the|is|are|was|were|be|not|no|none|to|of|with|without|it|its|this|that|there|must|cannot|can|has|have|had|and|or|only|at|more|yet|than|for|from|in|on|as|you|your|which|what|another|while|all|any|does|did|do|by)\b/;
/** Values that programs compare, and usages. */
const names = new Set(['as written', 'any depth', 'rollback <prompt> [--to 2] [--label production]']);
const typed = /^\s*(?:sekisho|cd|git|claude|npm|npx|source|complete|--?[a-z]|#!)\b|^--/;
const query =
  /\b(?:select|insert into|update \w+ set|delete from|create (?:unique )?(?:table|index)|where|order by|not null|references|join|on conflict|excluded|clock_timestamp|is null|primary key)\b|\bcast\(|:\w+|^begin |^(?:lock|alter) table |^fetch |^set constraints |\bfor update$|\bpragma \w+ = |\bplpgsql\b|\braise exception\b|\bas \(|^and \w+ = |\b\w+\.\w+ as \w+|^\((?:\w+, )+\w+\)$/i;

function readsAsEnglish(text: string): boolean {
  if (names.has(text)) return false;
  return /[A-Za-z]{2,}[,;:]? [a-z]/.test(text) && little.test(text) && !typed.test(text) && !query.test(text);
}

test('no sentence that a person reads is in English only', () => {
  const left = sources.flatMap((path) => {
    if (elsewhere.some(([, place]) => place.test(path))) return [];
    const code = readFileSync(join(root, path), 'utf8');
    return englishIn(code, path.endsWith('x')).map(({ line, text }) => `${path}:${line}: ${text.trim()}`);
  });
  expect(left).toEqual([]);
});

test('what a field of an operation is, is told in both languages', () => {
  const english = sources.filter((path) => path.startsWith('src/') && path !== 'src/kernel/text/described.ts');
  expect(english.filter((path) => /\.describe\(['"`]/.test(readFileSync(join(root, path), 'utf8')))).toEqual([]);
});

test('every Japanese text is still that of an English one', async () => {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('/ja.ts'),
  );
  expect(files.length).toBeGreaterThan(5);
  for (const file of files) {
    const { words = {} } = (await import(join(root, 'src', file))) as { words?: Readonly<Record<string, string>> };
    const folder = `src/${dirname(file)}/`;
    const code = sources
      .filter((path) => path.startsWith(folder))
      .map((path) => readFileSync(join(root, path), 'utf8'))
      .join('\n');
    const quoted = (text: string) =>
      [`'${text.replaceAll("'", "\\'")}'`, `"${text}"`].map((one) => one.replaceAll('\n', '\\n'));
    expect(Object.keys(words).filter((text) => !quoted(text).some((one) => code.includes(one)))).toEqual([]);
    expect(Object.values(words).filter((text) => !/[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}]/u.test(text))).toEqual(
      [],
    );
  }
});

/** Words that we replaced by a better one: a text must not bring them back. */
const replaced: readonly { readonly pattern: RegExp; readonly use: string; readonly files: () => readonly string[] }[] =
  [
    { pattern: /輪/, use: 'リング', files: japanesePapers },
    { pattern: /保護リング/, use: 'リング', files: japanesePapers },
    { pattern: /アップストリーム|上流 MCP/, use: '上流サーバー', files: japanesePapers },
    { pattern: /ランナー/, use: 'Runner', files: japanesePapers },
    { pattern: /停滞中/, use: 'ブロック中', files: japanesePapers },
    { pattern: /却下/, use: '差し戻し', files: japanesePapers },
    { pattern: /実行者/, use: '操作者', files: japanesePapers },
    { pattern: /ja: .*(?:この|現在の|新しい|進行中の)実行(?!中)/, use: 'run', files: pageSources },
    { pattern: /ja: '(?:実行|役割|上流)'/, use: 'run, ロール, 上流サーバー', files: pageSources },
    { pattern: /\bwhoever\b/i, use: 'the actor', files: englishPapers },
    { pattern: /\banew\b/i, use: 'again', files: englishPapers },
    { pattern: /\bmends?\b/i, use: 'fix', files: englishPapers },
    { pattern: /\bshall\b/i, use: 'must or can', files: englishPapers },
    { pattern: /\bnobody\b/i, use: 'no one, or the actor', files: pageSources },
  ];

function pagesIn(folder: string): readonly string[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
}

/** The sources of the dashboard, which have both languages side by side. */
function pageSources(): readonly string[] {
  return sources.filter((path) => path.startsWith('dashboard/'));
}

function japanesePapers(): readonly string[] {
  const texts = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('/ja.ts'))
    .map((name) => `src/${name}`);
  return ['README.ja.md', ...pagesIn('docs/ja'), ...texts, ...pageSources()];
}

function englishPapers(): readonly string[] {
  const papers = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'GLOSSARY.md', 'dashboard/README.md'];
  return [...papers, ...pagesIn('docs'), ...sources];
}

test.each(replaced)('$use is the word, not $pattern', ({ pattern, files }) => {
  const paths = files();
  expect(paths.length).toBeGreaterThan(40);
  const found = paths.flatMap((path) =>
    readFileSync(join(root, path), 'utf8')
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});

test('every exception is still needed', () => {
  for (const [reason, place] of elsewhere) {
    const paths = sources.filter((path) => place.test(path));
    const sentences = paths.flatMap((path) => englishIn(readFileSync(join(root, path), 'utf8'), path.endsWith('x')));
    expect(sentences.length, reason).toBeGreaterThan(0);
  }
});

test('a sentence is found where somebody would write one, and only there', () => {
  const lines = (code: string) => englishIn(code, true).map(({ line, text }) => `${line} ${text.trim()}`);
  expect(lines("/** A comment is not read. */\nprocess.stdout.write('There is nothing to do.');")).toEqual([
    '2 There is nothing to do.',
  ]);
  expect(lines('const x = `Run ${id} was not found`;')).toEqual(['1 Run … was not found']);
  expect(lines('const page = <p>Nothing is here yet</p>;')).toEqual(['1 Nothing is here yet']);
  expect(lines('const page = <a title="What it is for" className="a is in b" />;')).toEqual(['1 What it is for']);
  expect(lines("const text = { en: () => 'It is here.', ja: () => 'ここです。' };")).toEqual([]);
  expect(lines("throw new Error('nobody is here'); context.log.warn('it is not there', { a });")).toEqual([]);
  expect(lines("const sql = 'select a from b where c is not null'; const id = 'state_gate.get_state';")).toEqual([]);
});
