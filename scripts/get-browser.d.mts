/** A Chromium, found or fetched, and what its environment needs. */
export function getBrowser(): { readonly program: string; readonly env: Readonly<Record<string, string>> };
