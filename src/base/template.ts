export type Variables = Readonly<Record<string, string>>;

/** Matches a URI and returns its variables; undefined if it does not match. */
export type UriTemplate = (uri: string) => Variables | undefined;

const special = /\{([^}]*)\}|[.*+?^$()|[\]\\/{}]/g;

/**
 * A matcher for an RFC 6570 template: `/hook/{client}`, `stategate://runs/{run_id}/summary`, and those that upstreams
 * declare. A plain variable is never empty and never crosses a slash; `{+path}`, `{/path}` and `{#part}` can. The expansion
 * of a `{?query}` is accepted but not parsed.
 */
export function uriTemplate(template: string): UriTemplate {
  const groups: (readonly string[])[] = [];
  const pattern = template.replaceAll(special, (part, expression: string | undefined) => {
    if (expression === undefined) return `\\${part}`;
    if (/^[?&]/.test(expression)) return '(?:[?&].*)?';
    groups.push(expression.replace(/^[+#/.;]/, '').split(','));
    return /^[+#/]/.test(expression) ? '(.*)' : '([^/?#]+)';
  });
  const matcher = new RegExp(`^${pattern}$`);
  return (uri) => {
    const found = matcher.exec(uri);
    if (found === null) return undefined;
    try {
      return Object.fromEntries(groups.flatMap((names, index) => valuesOf(names, found[index + 1] ?? '')));
    } catch {
      return undefined; // A stray percent sign makes it an invalid URI.
    }
  };
}

function valuesOf(names: readonly string[], text: string): readonly (readonly [string, string])[] {
  const values = names.length === 1 ? [text] : text.split(',');
  return names.map((name, index) => [name, decodeURIComponent(values[index] ?? '')] as const);
}
