/** A Chromium, found or downloaded, and the environment that it needs. */
export function getBrowser(): { readonly program: string; readonly env: Readonly<Record<string, string>> };
