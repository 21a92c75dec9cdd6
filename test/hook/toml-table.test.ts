import { expect, describe, test } from 'vitest';
import { mergeToml, readTomlObject, unmergeToml } from '../../src/setup/toml-table.ts';
import { readToml } from '../../src/setup/toml-text.ts';
import { isJsonObject } from '../../src/base/json-object.ts';
import { isProblem } from '../../src/kernel/problem.ts';
import fc from '../setup/property.ts';

const runs = Number(process.env['SEKISHO_PROPERTY_RUNS'] ?? 100);

const ours = {
  path: 'config.toml',
  table: 'mcp_servers.sekisho',
  keys: { command: '/app/sekisho', args: ['mcp'], required: true },
};
const merge = (text: string | undefined) => mergeToml(ours, text);
const readValue = (text: string) => readToml('config.toml', text.replace('\uFEFF', '')).value;

function refusalOf(text: string): string | undefined {
  try {
    return merge(text);
  } catch (error) {
    if (isProblem(error)) return error.in('en');
    throw error;
  }
}

/** Every form that a file may have for our table, with what becomes of it. */
const forms: Readonly<Record<string, { readonly before: string; readonly after: string }>> = {
  'a list over several lines': {
    before: '[mcp_servers.sekisho]\ncommand = "old"\nargs = [\n  "mcp", # ours\n  "--old",\n]\n\n[other]\na = 1\n',
    after: '[mcp_servers.sekisho]\ncommand = "/app/sekisho"\nargs = ["mcp"]\nrequired = true\n\n[other]\na = 1\n',
  },
  'a list over several lines that says the same': {
    before: '[mcp_servers.sekisho]\ncommand = "/app/sekisho"\nargs = [\n  "mcp", # ours\n]\nrequired = true\n',
    after: '[mcp_servers.sekisho]\ncommand = "/app/sekisho"\nargs = [\n  "mcp", # ours\n]\nrequired = true\n',
  },
  'a head with spaces and a comment': {
    before: '[ mcp_servers . sekisho ] # here\n  enabled = true # yes',
    after:
      '[ mcp_servers . sekisho ] # here\n  enabled = true # yes\n  command = "/app/sekisho"\n  args = ["mcp"]\n  required = true',
  },
  'quoted keys': {
    before: '["mcp_servers".\'sekisho\']\n"command" = "old"\n',
    after: '["mcp_servers".\'sekisho\']\n"command" = "/app/sekisho"\nargs = ["mcp"]\nrequired = true\n',
  },
  'a head alone, without a line break': {
    before: '[mcp_servers.sekisho]',
    after: '[mcp_servers.sekisho]\ncommand = "/app/sekisho"\nargs = ["mcp"]\nrequired = true',
  },
  'an inline table at the top': {
    before: 'mcp_servers.sekisho = { command = "old", args = ["mcp"] } # x\n[other]\n',
    after: 'mcp_servers.sekisho = { command = "/app/sekisho", args = ["mcp"], required = true } # x\n[other]\n',
  },
  'an inline table in its parent': {
    before: '[mcp_servers]\nsekisho = {}\nother = { command = "y" }\n',
    after:
      '[mcp_servers]\nsekisho = {command = "/app/sekisho", args = ["mcp"], required = true}\nother = { command = "y" }\n',
  },
  'an inline parent without us': {
    before: 'mcp_servers = { other = { command = "y" } }\n',
    after:
      'mcp_servers = { other = { command = "y" }, sekisho = { command = "/app/sekisho", args = ["mcp"], required = true } }\n',
  },
  'an inline table over several lines': {
    before: 'mcp_servers.sekisho = {\n  command = "old", # mine\n}\n',
    after: 'mcp_servers.sekisho = {\n  command = "/app/sekisho", args = ["mcp"], required = true, # mine\n}\n',
  },
  'dotted keys': {
    before: 'mcp_servers.sekisho.command = "old" # x\r\nmodel = "m"\r\n',
    after:
      'mcp_servers.sekisho.command = "/app/sekisho" # x\r\nmcp_servers.sekisho.args = ["mcp"]\r\nmcp_servers.sekisho.required = true\r\nmodel = "m"\r\n',
  },
  'dotted keys in an inline table': {
    before: 'mcp_servers = { sekisho.enabled = true }\n',
    after:
      'mcp_servers = { sekisho.enabled = true, sekisho.command = "/app/sekisho", sekisho.args = ["mcp"], sekisho.required = true }\n',
  },
  'a table below ours': {
    before: '[mcp_servers.sekisho.env]\nA = "1"\n',
    after:
      '[mcp_servers.sekisho.env]\nA = "1"\n\n[mcp_servers.sekisho]\ncommand = "/app/sekisho"\nargs = ["mcp"]\nrequired = true\n',
  },
  'lists of tables, another line ending, no end of line': {
    before: '\uFEFF[[profile]]\r\nname = """\r\n[mcp_servers.sekisho]\r\n"""\r\n[[profile]]\r\nname = \'b\'',
    after:
      '\uFEFF[[profile]]\r\nname = """\r\n[mcp_servers.sekisho]\r\n"""\r\n[[profile]]\r\nname = \'b\'\r\n\r\n[mcp_servers.sekisho]\r\ncommand = "/app/sekisho"\r\nargs = ["mcp"]\r\nrequired = true\r\n',
  },
};

describe('our table of a client’s TOML file', () => {
  for (const [name, { before, after }] of Object.entries(forms))
    test(`${name}: our keys come in, the rest stays, and the file comes back byte for byte`, () => {
      expect(merge(before)).toBe(after);
      expect(merge(after)).toBe(after);
      expect(
        ours.table.split('.').reduce((one, key) => one[key] as never, readTomlObject('config.toml', after)),
      ).toMatchObject(ours.keys);
      expect(unmergeToml(ours, after, before)).toBe(before);
    });

  test('a file that we made goes; what somebody added to it stays', () => {
    const made = merge(undefined);
    expect(unmergeToml(ours, made, undefined)).toBeUndefined();
    expect(unmergeToml(ours, `${made}\n[mine]\na = 1\n`, undefined)).toBe('\n[mine]\na = 1\n');
    expect(unmergeToml(ours, `# mine\n${made}`, undefined)).toBe('# mine\n');
  });

  test('a value that somebody changed since stays, and so does a comment beside ours', () => {
    const changed = merge('a = 1\n').replace('required = true', 'required = false').replace('["mcp"]', '["mcp"] # why');
    expect(unmergeToml(ours, changed, 'a = 1\n')).toBe('a = 1\n\n[mcp_servers.sekisho]\n # why\nrequired = false\n');
  });

  test.each([
    '[[mcp_servers.sekisho]]\na = 1\n',
    'mcp_servers = "x"\n',
    'mcp_servers.sekisho = ["x"]\n',
    '[[mcp_servers.sekisho.args]]\na = 1\n',
  ])('what is not a table is refused: %j', (text) => {
    expect(refusalOf(text)).toContain('mcp_servers.sekisho is not a table there, so nothing was changed');
  });

  test('what is not TOML is refused, with its line', () => {
    expect(refusalOf('a = 1\nb = ]\n')).toContain('not valid TOML, so nothing was changed (line 2: ');
  });

  test('whatever a file holds: merged it says what it said and ours; without ours it is what it was', () => {
    fc.assert(
      fc.property(anyFile, fc.boolean(), (file, isEdited) => {
        const merged = merge(file);
        const before = readValue(file);
        const servers = isJsonObject(before) && isJsonObject(before['mcp_servers']) ? before['mcp_servers'] : {};
        const entry = isJsonObject(servers['sekisho']) ? servers['sekisho'] : {};
        const sekisho = { ...entry, ...ours.keys };
        expect(readValue(merged)).toEqual({ ...(before as object), mcp_servers: { ...servers, sekisho } });
        expect(merge(merged)).toBe(merged);
        const added = isEdited ? '\n# somebody went on\n[later]\na = 1\n' : '';
        const left = unmergeToml(ours, merged + added, file);
        if (added === '' || file.endsWith('\n')) expect(left).toBe(file + added);
        else expect(readValue(left ?? '')).toEqual({ ...(before as object), later: { a: 1 } });
      }),
      { numRuns: runs },
    );
  });
});

const space = fc.constantFrom('', ' ', '\t', '  ');
const comment = fc.constantFrom('', '', ' # a comment', '# [mcp_servers.sekisho]', ' # it\'s "one" = {');
const name = fc.constantFrom('a', 'b-c', '"d e"', "'f.g'", '"h\\"i"', 'command', 'args', '"ü"', '1');
const scalar = fc.constantFrom(
  '1',
  'true',
  '-0.5e3',
  'inf',
  '0xff',
  '1979-05-27T07:32:00Z',
  '07:32:00',
  '"a # b"',
  '"\\u00e9 \\" ]"',
  "'c:\\'",
  "'''\n[mcp_servers.sekisho]\ncommand = 1\n'''",
  '"""\n\\"""] = \n"""',
);
const value: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    fc
      .tuple(fc.array(tie('value'), { maxLength: 3 }), comment, fc.boolean())
      .map(([items, said, isLong]) =>
        isLong ? `[\n${items.map((one) => `  ${one}, ${said}\n`).join('')}]` : `[${items.join(', ')}]`,
      ),
    fc
      .tuple(fc.uniqueArray(name, { maxLength: 3 }), tie('value'))
      .map(([names, one]) => `{${names.map((each) => ` ${each} = ${one}`).join(',')} }`),
  ),
})).value;

const pairs = fc
  .tuple(fc.uniqueArray(name, { maxLength: 4 }), fc.infiniteStream(fc.tuple(value, space, comment)))
  .map(([names, rest]) =>
    names.map((one) => {
      const [[each, gap, said] = ['1', '', '']] = rest.take(1);
      return `${gap}${one}${gap}=${gap}${each}${said}\n`;
    }),
  )
  .map((lines) => lines.join(''));

/** What stands in the place of our table, at the top or between the others. */
const place = fc
  .tuple(
    fc.subarray(['command = "old"', 'args = ["x", "y"]', 'required = true', 'enabled = true', '"env" = { A = "1" }']),
    fc.constantFrom('none', 'head', 'inline', 'nested', 'parent', 'bare parent', 'dotted', 'nested dotted', 'below'),
    space,
    comment,
  )
  .map(([entries, form, gap, said]): { readonly top?: string; readonly table?: string } => {
    const inline = `{${gap}${entries.join(`,${gap}`)}${gap}}`;
    const dotted = (prefix: string) => entries.map((one) => `${prefix}${one}${said}\n`).join('');
    switch (form) {
      case 'head':
        return { table: `[${gap}mcp_servers${gap}.${gap}"sekisho"${gap}]${said}\n${dotted(gap)}` };
      case 'inline':
        return { top: `mcp_servers.sekisho = ${inline}${said}\n` };
      case 'nested':
        return { table: `[mcp_servers]${said}\nx.command = 1\nsekisho${gap}=${inline}\n` };
      case 'parent':
        return { top: `mcp_servers = { x = ${inline}, sekisho = ${inline}}${said}\n` };
      case 'bare parent':
        return { top: `mcp_servers = {${gap}}${said}\n` };
      case 'dotted':
        return { top: dotted(`mcp_servers${gap}.sekisho.`) };
      case 'nested dotted':
        return { table: `[mcp_servers]\n${dotted('sekisho . ')}` };
      case 'below':
        return { table: `[mcp_servers.sekisho.tools]${said}\na = 1\n` };
      case 'none':
        return {};
    }
  });

const table = fc
  .tuple(fc.constantFrom('[t%]', '[ "t%" . x ] # [', "['t.%'.b.c]", '[[l]]', '[[ l . m ]]'), comment, pairs)
  .map(([head, said, lines]) => ({ head, text: `${said}\n${lines}` }));

const anyFile = fc
  .tuple(
    fc.constantFrom('', '', '\uFEFF'),
    pairs,
    place,
    fc.array(table, { maxLength: 3 }),
    fc.nat(3),
    fc.constantFrom('\n', '\r\n'),
    fc.constantFrom('', '\n', '\n\n', 'cut'),
  )
  .map(([mark, top, { top: first = '', table: own = '' }, tables, at, lineBreak, end]) => {
    const others = tables.map((one, index) => `${one.head.replace('%', String(index))}${one.text}`);
    const text = [first, top, ...others.slice(0, at), own, ...others.slice(at)].join('');
    const ended = end === 'cut' ? text.replace(/\n$/, '') : text + end;
    return mark + ended.replaceAll('\n', lineBreak);
  })
  // `[[l]]` may come after `[[ l . m ]]`, which made `l` a table.
  .filter((file) => isToml(file));

function isToml(file: string): boolean {
  try {
    readValue(file);
    return true;
  } catch {
    return false;
  }
}
