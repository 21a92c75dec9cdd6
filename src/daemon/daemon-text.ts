import { definePhrases } from '../kernel/text/text.ts';
import type { Listener } from '../machine/listener.ts';
import * as ja from './ja.ts';

export const english = {
  up: ({ url, pid, again, log }: { url: string; pid: number; again: boolean; log: string }) =>
    `The daemon ${again ? 'is already running' : 'is now running'} at ${url} (process ${pid}). Its log: ${log}\nDashboard: sekisho open. To stop it: sekisho down.`,
  otherPort: ({ wanted, by, url }: { wanted: string; by: Listener | undefined; url: string }) =>
    `${wanted} is taken${by === undefined ? '' : ` by ${by.name} (process ${by.pid})`}, so the daemon uses ${url}. Clients and proxies that are set up for ${wanted} do not reach it. Stop the other program and run sekisho down, or set http.port to a free port.`,
  down: () => 'The daemon has stopped.',
  notRunning: () => 'The daemon is not running.',
  staysUp: () => 'The daemon does not stop. Check its log, or kill its process.',
  opened: ({ link }: { link: string }) =>
    `If no browser opens, open this link within a minute (it works once):\n${link}`,
  linkFor: ({ name }: { name: string }) =>
    `This link opens the dashboard as "${name}". Anyone who opens it within a minute is signed in as that person.`,
  makeLink: () => 'Create this link?',
  endAll: () => 'Every browser will be signed out of the dashboard.',
  endOne: ({ id }: { id: string }) => `The browser session ${id} will be signed out.`,
  signOut: () => 'Sign out?',
};

export const daemonPhrase = definePhrases(english, ja.daemonPhrase);
