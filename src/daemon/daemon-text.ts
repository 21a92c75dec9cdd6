import { definePhrases } from '../kernel/text/text.ts';
import type { Listener } from '../machine/listener.ts';
import * as ja from './ja.ts';

export const english = {
  up: ({ url, pid, again, log }: { url: string; pid: number; again: boolean; log: string }) =>
    `The daemon ${again ? 'runs already' : 'runs now'} at ${url} (process ${pid}). Its log: ${log}\nDashboard: sekisho open. To stop it: sekisho down.`,
  otherPort: ({ wanted, by, url }: { wanted: string; by: Listener | undefined; url: string }) =>
    `${wanted} is taken${by === undefined ? '' : ` by ${by.name} (process ${by.pid})`}, so the daemon uses ${url}. Clients and proxies that are set up for ${wanted} do not reach it. Stop the other program and run sekisho down, or set http.port to a free port.`,
  down: () => 'The daemon has stopped.',
  notRunning: () => 'No daemon runs.',
  staysUp: () => 'The daemon does not stop. Look at its log, or end its process yourself.',
  opened: ({ link }: { link: string }) => `If no browser opens, go there yourself within a minute (once):\n${link}`,
  linkFor: ({ name }: { name: string }) =>
    `A link to the dashboard as "${name}": whoever opens it within a minute is that person there.`,
  makeLink: () => 'Make this link?',
  endAll: () => 'Every browser will be signed out of the dashboard.',
  endOne: ({ id }: { id: string }) => `The browser session ${id} will be signed out.`,
  signOut: () => 'Sign out?',
};

export const daemonPhrase = definePhrases(english, ja.daemonPhrase);
