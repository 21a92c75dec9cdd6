/** The folder of an npm package, downloaded on first use. */
export function getPackage(name: string, version: string): string;
