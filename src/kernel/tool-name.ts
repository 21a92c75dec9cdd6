/** As clients that do not like dots send a tool's name back. Dots and underscores are the same to clients, so they are here. */
export function dotsToUnderscores(name: string): string {
  return name.replaceAll('.', '_');
}
