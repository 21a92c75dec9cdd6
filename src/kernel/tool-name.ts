/** A tool's name as clients that reject dots send it. Names that differ only in this are the same tool. */
export function dotsToUnderscores(name: string): string {
  return name.replaceAll('.', '_');
}
