/** Patterns of browsers, in this order: Chrome also names Safari, and Edge names both, so the first match is right. */
const browsers = [
  /\b(Edg)\w*\/(\d+)/,
  /\b(Firefox)\/(\d+)/,
  /\b(?:Headless)?(Chrome)\/(\d+)/,
  /\bVersion\/(\d+).*\b(Safari)\b/,
];
const systems = [/\b(iPhone|iPad|Android)\b/, /\b(Windows|Mac OS X|Linux)\b/];

/** The name of a browser from its user agent: `Firefox 128, Linux`; the whole user agent if it is unknown. */
export function browserName(agent: string): string {
  const [, one = '', two = ''] = browsers.map((pattern) => pattern.exec(agent)).find((found) => found !== null) ?? [];
  const system = systems.map((pattern) => pattern.exec(agent)?.[1]).find((found) => found !== undefined);
  const [name, version] = /^\d/.test(one) ? [two, one] : [one, two];
  if (name === '') return agent;
  return [`${name === 'Edg' ? 'Edge' : name} ${version}`, ...(system === undefined ? [] : [system])].join(', ');
}
