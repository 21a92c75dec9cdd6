/** The folder of an npm package, fetched on first use. */
export function getPackage(name: string, version: string): string;
