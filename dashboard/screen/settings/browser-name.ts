/** Chromium names itself Chrome and Safari too, Edge all three: the first that is there tells. */
const browsers = [
  /\b(Edg)\w*\/(\d+)/,
  /\b(Firefox)\/(\d+)/,
  /\b(?:Headless)?(Chrome)\/(\d+)/,
  /\bVersion\/(\d+).*\b(Safari)\b/,
];
const systems = [/\b(iPhone|iPad|Android)\b/, /\b(Windows|Mac OS X|Linux)\b/];

/** `Firefox 128, Linux` of what a browser says of itself; all of it where nothing is known. */
export function browserName(agent: string): string {
  const [, one = '', two = ''] = browsers.map((pattern) => pattern.exec(agent)).find((found) => found !== null) ?? [];
  const system = systems.map((pattern) => pattern.exec(agent)?.[1]).find((found) => found !== undefined);
  const [name, version] = /^\d/.test(one) ? [two, one] : [one, two];
  if (name === '') return agent;
  return [`${name === 'Edg' ? 'Edge' : name} ${version}`, ...(system === undefined ? [] : [system])].join(', ');
}
