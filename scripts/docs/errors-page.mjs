import { code, page, table } from './markdown.mjs';
import { words } from './words.mjs';

export function errorsPage(product, lang) {
  const say = words[lang];
  const modules = Object.entries(product.problems)
    .filter(([, { problem = {}, refusal = {} }]) => Object.keys(problem).length + Object.keys(refusal).length > 0)
    .toSorted(([a], [b]) => rank(product, a) - rank(product, b));
  return page(
    `# ${say.errorCodes}`,
    say.errorsAbout,
    `## ${say.envelopes}`,
    say.envelopesAbout,
    table(
      [say.toolset, say.envelope],
      product.toolsets.map((toolset) => [code(toolset), code(envelope(product, toolset))]),
    ),
    modules.flatMap(([module, texts]) => section(module, texts, say)),
    `## ${say.inCommandLine}`,
    say.refusals,
  );
}

function envelope(product, toolset) {
  const problem = product.problems.kernel.problem.INTERNAL_ERROR({ reference: '…' }, { '…': '…' });
  const body = product.failureEnvelope('en', { toolsets: [toolset] }, problem);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return text.replaceAll(problem.code, 'CODE').replaceAll(problem.in('en'), 'text');
}

function section(module, { problem = {}, refusal = {} }, say) {
  const titles = { kernel: say.everywhere, gate: 'gate, admin', hook: say.hooks };
  const rows = [
    ...Object.entries(problem).map(([name, { text }]) => [code(name), filled(text.en), filled(text.ja)]),
    ...Object.entries(refusal).map(([name, { text }]) => [
      `${code('FORBIDDEN')} (${name})`,
      filled(text.en),
      filled(text.ja),
    ]),
  ];
  return [`## ${titles[module] ?? module}`, table([say.code, 'English', '日本語'], rows)];
}

/** The sort order: general errors first, then the toolsets in their order. */
function rank(product, module) {
  const at = product.toolsets.indexOf(module);
  return module === 'kernel' ? -1 : at < 0 ? product.toolsets.length : at;
}

/** The text with the names of its parameters in braces; empty if the text depends on their values. */
function filled(text) {
  if (text.length === 0) return text();
  try {
    const shown = text(new Proxy({}, { get: (_target, name) => hole(String(name)) }));
    return typeof shown === 'string' && !/undefined|\[object|NaN/.test(shown) ? shown : '';
  } catch {
    return ''; // The text computes with a parameter.
  }
}

const listMethods = ['map', 'filter', 'slice', 'toSorted', 'flatMap'];

/** A placeholder for any value: a string, a sentence, words in both languages, a non-empty list, or a number above 0. */
function hole(name) {
  const self = new Proxy(() => `{${name}}`, {
    get(_target, key) {
      if (key === Symbol.toPrimitive) return (hint) => primitive(hint, name);
      if (key === 'length') return self;
      if (key === 'en' || key === 'ja') return `{${name}}`;
      if (key === 'join') return () => `{${name}}`;
      if (listMethods.includes(key)) return () => self;
      throw new Error(`${name} is asked for ${String(key)}`);
    },
  });
  return self;
}

function primitive(hint, name) {
  if (hint === 'default') throw new Error(`${name} is computed with`);
  return hint === 'number' ? 1 : `{${name}}`;
}
