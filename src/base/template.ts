export type Variables = Readonly<Record<string, string>>;

/** The variables of an address that fits; undefined where it does not. */
export type UriTemplate = (uri: string) => Variables | undefined;

const special = /\{([^}]*)\}|[.*+?^$()|[\]\\/{}]/g;

/**
 * An RFC 6570 template, read backwards: `/hook/{client}`, `stategate://runs/{run_id}/summary`, and whatever upstreams
 * declare. A plain variable is never empty and never crosses a slash; `{+path}`, `{/path}` and `{#part}` may, and what a
 * `{?query}` expands to is let through without being taken apart.
 */
export function uriTemplate(template: string): UriTemplate {
  const groups: (readonly string[])[] = [];
  const pattern = template.replaceAll(special, (part, expression: string | undefined) => {
    if (expression === undefined) return `\\${part}`;
    if (/^[?&]/.test(expression)) return '(?:[?&].*)?';
    groups.push(expression.replace(/^[+#/.;]/, '').split(','));
    return /^[+#/]/.test(expression) ? '(.*)' : '([^/?#]+)';
  });
  const whole = new RegExp(`^${pattern}$`);
  return (uri) => {
    const found = whole.exec(uri);
    if (found === null) return undefined;
    try {
      return Object.fromEntries(groups.flatMap((names, index) => valuesOf(names, found[index + 1] ?? '')));
    } catch {
      return undefined; // A stray percent sign is no address.
    }
  };
}

function valuesOf(names: readonly string[], text: string): readonly (readonly [string, string])[] {
  const values = names.length === 1 ? [text] : text.split(',');
  return names.map((name, index) => [name, decodeURIComponent(values[index] ?? '')] as const);
}
