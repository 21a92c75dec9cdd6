/** Whether an address can have come from an RFC 6570 template; expansions are taken loosely. */
export function templateMatches(template: string, uri: string): boolean {
  const pattern = template.replaceAll(/\{([^}]*)\}|[.*+?^$()|[\]\\/{}]/g, (part, expression: string | undefined) => {
    if (expression === undefined) return `\\${part}`;
    if (expression.startsWith('?') || expression.startsWith('&')) return '(?:[?&].*)?';
    return /^[+#/]/.test(expression) ? '.*' : '[^/?#]*';
  });
  return new RegExp(`^${pattern}$`).test(uri);
}
