/** The location of a database without user and secrets: a password can be before the host or among the parameters. */
export function databaseName(db: string): string {
  const [, scheme, rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/)(.*)$/is.exec(db) ?? [];
  if (scheme === undefined) return db;
  // A text that is not a valid URL can have its password anywhere before the last @.
  if (!URL.canParse(db)) return scheme + rest.replace(/^.*@/s, '').replace(/[?#].*$/s, '');
  const [, place = '', parameters = ''] = /^([^?#]*)\??([^#]*)/.exec(rest) ?? [];
  const open = parameters.split('&').filter((one) => one !== '' && !isSecret(one));
  return scheme + place.replace(/^[^/]*@/, '') + (open.length === 0 ? '' : `?${open.join('&')}`);
}

function isSecret(parameter: string): boolean {
  return [...new URLSearchParams(parameter).keys()].some((name) => /pass|secret|token/i.test(name));
}
