import { code, page, table } from './markdown.mjs';

const titles = { kernel: 'Everywhere', gate: 'gate, admin', hook: 'Hooks' };

export function errorsPage(product) {
  const modules = Object.entries(product.problems)
    .filter(([, { problem = {}, refusal = {} }]) => Object.keys(problem).length + Object.keys(refusal).length > 0)
    .toSorted(([a], [b]) => rank(product, a) - rank(product, b));
  return page(
    '# Error codes',
    'Codes are the contract; texts may change and come in English or Japanese (`--lang`). What stands in braces is filled in; a code without text here has one that depends on the case.',
    '## Envelopes',
    'How each toolset words a failure. Over MCP it is the text of a result with `isError: true`.',
    table(
      ['toolset', 'envelope'],
      product.toolsets.map((toolset) => [code(toolset), code(envelope(product, toolset))]),
    ),
    modules.flatMap(([module, texts]) => section(module, texts)),
    '## In a command line',
    'Refusals end with exit code 1 and print the same envelope as JSON to a pipe, or code and text to a terminal. See [exit codes](commands.md#exit-codes).',
  );
}

function envelope(product, toolset) {
  const problem = product.problems.kernel.problem.INTERNAL_ERROR({ reference: '…' }, { '…': '…' });
  const { code: name, message, body } = product.failure('en', { toolsets: [toolset] }, problem);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return text.replaceAll(name, 'CODE').replaceAll(message, 'text');
}

function section(module, { problem = {}, refusal = {} }) {
  const rows = [
    ...Object.entries(problem).map(([name, { text }]) => [code(name), filled(text.en), filled(text.ja)]),
    ...Object.entries(refusal).map(([name, { text }]) => [
      `${code('FORBIDDEN')} (${name})`,
      filled(text.en),
      filled(text.ja),
    ]),
  ];
  return [`## ${titles[module] ?? module}`, table(['code', 'English', 'Japanese'], rows)];
}

/** First what holds everywhere, then the toolsets in their order. */
function rank(product, module) {
  const at = product.toolsets.indexOf(module);
  return module === 'kernel' ? -1 : at < 0 ? product.toolsets.length : at;
}

/** The text with the names of its parameters in braces; empty where what it says depends on their values. */
function filled(text) {
  if (text.length === 0) return text();
  try {
    const shown = text(new Proxy({}, { get: (_target, name) => hole(String(name)) }));
    return typeof shown === 'string' && !/undefined|\[object|NaN/.test(shown) ? shown : '';
  } catch {
    return ''; // It computes with a parameter.
  }
}

const listMethods = ['map', 'filter', 'slice', 'toSorted', 'flatMap'];

/** Stands for any value: a text, a sentence in some language, a list that is not empty, or a number above 0. */
function hole(name) {
  const self = new Proxy(() => `{${name}}`, {
    get(_target, key) {
      if (key === Symbol.toPrimitive) return (hint) => primitive(hint, name);
      if (key === 'length') return self;
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
