import { version } from '../kernel/version.ts';
import { style } from '../surface/terminal/style.ts';

export interface Greeting {
  readonly url: string;
  readonly tokenFile: string;
  readonly db: string | undefined;
  /** What `/mcp` alone means; undefined where it means none. */
  readonly root: string | undefined;
  readonly roots: readonly string[];
  readonly registered: string | undefined;
  /** To the dashboard, once and soon; only for whoever sits at this terminal. */
  readonly link: string | undefined;
}

/** What `sekisho up` says to a person who started it. */
export function greeting({ url, tokenFile, db, roots, registered, link, root = roots[0] }: Greeting): string {
  // Named, since another root may be registered tomorrow.
  const project = root === undefined ? '' : `?project=${encodeURIComponent(root).replaceAll('%2F', '/')}`;
  const client = {
    mcpServers: {
      sekisho: {
        type: 'http',
        url: `${url}/mcp${project}`,
        headers: { Authorization: 'Bearer ${SEKISHO_AGENT_TOKEN}' },
      },
    },
  };
  return [
    `${style.bold('関所 Sekisho')} ${version} is listening on ${style.cyan(url)}`,
    '',
    ...(registered === undefined
      ? []
      : [`No project was registered yet, so this folder is one now: ${style.cyan(registered)}`, '']),
    ...roots.map((one, index) => `  ${index === 0 ? 'projects    ' : '            '}  ${one}`),
    ...(db === undefined ? [] : [`  database      ${db}`]),
    `  agent token   ${tokenFile}`,
    '  person token  sekisho token create   (shown once, kept nowhere)',
    '',
    `  dashboard     ${link ?? 'sekisho open'}`,
    '',
    'Client configuration (.mcp.json):',
    '',
    JSON.stringify(client, null, 2),
    '',
    `  export SEKISHO_AGENT_TOKEN="$(cat '${tokenFile}')"`,
    '',
    'Or over stdio, without the daemon: sekisho init --client claude',
    '',
    style.dim('Press Ctrl-C to stop.'),
    '',
  ].join('\n');
}
