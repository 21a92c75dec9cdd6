/**
 * A part of a template. `{{project.path}}` is a variable, `{{goal?}}` an optional one, `{{> rules}}` an include. `\{{` is a
 * literal `{{`; other text in braces stays unchanged (`{{#if x}}`, `${{ secrets.X }}`).
 */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly path: string; readonly optional: boolean }
  | { readonly kind: 'include'; readonly name: string };

const placeholder =
  /\\(\{\{)|(?<!\$)\{\{[ \t]*(?:>[ \t]*([\p{L}\p{N}][\p{L}\p{N}._-]*)|([\p{L}_][\p{L}\p{N}_-]*(?:\.[\p{L}\p{N}_-]+)*)(\?)?)[ \t]*\}\}/gu;

export function parseTemplate(text: string): readonly Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const found of text.matchAll(placeholder)) {
    if (found.index > end) parts.push({ kind: 'text', text: text.slice(end, found.index) });
    const [whole, escaped, name, path, optional] = found;
    if (escaped !== undefined) parts.push({ kind: 'text', text: escaped });
    else if (name !== undefined) parts.push({ kind: 'include', name });
    else if (path !== undefined) parts.push({ kind: 'variable', path, optional: optional !== undefined });
    end = found.index + whole.length;
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) });
  return parts;
}

export type Values = Readonly<Record<string, unknown>>;

export interface Filled {
  readonly text: string;
  /** Required variables without a value, in order, each once. */
  readonly missing: readonly string[];
}

/** Fills in the variables; includes are already resolved. Values are not parsed as templates. */
export function fillTemplate(parts: readonly Part[], values: Values): Filled {
  const missing = new Set<string>();
  const texts = parts.map((part) => {
    if (part.kind === 'text') return part.text;
    if (part.kind === 'include') throw new Error(`the include ${part.name} was not resolved`);
    const value = lookUp(values, part.path);
    if (value !== undefined && value !== null) return show(value);
    if (!part.optional) missing.add(part.path);
    return '';
  });
  return { text: texts.join(''), missing: [...missing] };
}

/** Looks up a dotted path in own properties only, so that `constructor` is not a variable. */
function lookUp(values: Values, path: string): unknown {
  let value: unknown = values;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return value;
}

function show(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(', ');
  return JSON.stringify(value, null, 2);
}
