import type { ComponentType } from 'react';
import type { IconName } from './app/icon.tsx';
import { screenTexts } from './text/screen-texts.ts';

/** The props of a screen: the parameters of its path. */
export type ScreenProps = { readonly params: Readonly<Record<string, string>> };

export interface Screen {
  /** For example `/runs/:id`. */
  readonly path: string;
  /** Absent if the screen is only reached from another one. */
  readonly menu?: {
    readonly text: { readonly en: string; readonly ja: string };
    readonly icon: IconName;
    /** The key to press after `g`. */
    readonly key: string;
    /** Shows the number of runs that wait. */
    readonly counts?: 'waiting';
    /** A prefix of other paths that belong to this menu item. */
    readonly also?: string;
  };
  readonly load: () => Promise<{ readonly default: ComponentType<ScreenProps> }>;
}

/** Every screen, in the order of the menu. The first is the start page. */
export const screens: readonly Screen[] = [
  {
    path: '/',
    menu: { text: screenTexts.inbox, icon: 'inbox', key: 'i', counts: 'waiting', also: '/approvals/' },
    load: () => import('./screen/inbox/inbox.tsx'),
  },
  { path: '/approvals/:id', load: () => import('./screen/approval/approval.tsx') },
  {
    path: '/runs',
    menu: { text: screenTexts.runs, icon: 'runs', key: 'r' },
    load: () => import('./screen/runs/runs.tsx'),
  },
  { path: '/runs/:id', load: () => import('./screen/run/run.tsx') },
  {
    path: '/board',
    menu: { text: screenTexts.board, icon: 'board', key: 'b', also: '/tasks/' },
    load: () => import('./screen/board/board.tsx'),
  },
  { path: '/tasks/:id', load: () => import('./screen/task/task.tsx') },
  {
    path: '/fleet',
    menu: { text: screenTexts.fleet, icon: 'fleet', key: 'f' },
    load: () => import('./screen/fleet/fleet.tsx'),
  },
  { path: '/fleet/groups/:id', load: () => import('./screen/group/group.tsx') },
  { path: '/fleet/agents/:id', load: () => import('./screen/agent/agent.tsx') },
  {
    path: '/work',
    menu: { text: screenTexts.work, icon: 'work', key: 'w' },
    load: () => import('./screen/work/work.tsx'),
  },
  { path: '/work/projects/:id', load: () => import('./screen/project/project.tsx') },
  { path: '/work/agents/:id', load: () => import('./screen/identity/identity.tsx') },
  {
    path: '/processes',
    menu: { text: screenTexts.processes, icon: 'processes', key: 'd' },
    load: () => import('./screen/processes/processes.tsx'),
  },
  { path: '/processes/:id', load: () => import('./screen/process/process.tsx') },
  {
    path: '/prompt-library',
    menu: { text: screenTexts.prompts, icon: 'prompts', key: 'p' },
    load: () => import('./screen/prompts/prompts.tsx'),
  },
  // `/prompts` is taken: programs use it.
  { path: '/prompt-library/:name', load: () => import('./screen/prompt/prompt.tsx') },
  {
    path: '/upstreams',
    menu: { text: screenTexts.upstreams, icon: 'upstreams', key: 'u' },
    load: () => import('./screen/upstreams/upstreams.tsx'),
  },
  { path: '/upstreams/:name', load: () => import('./screen/upstream/upstream.tsx') },
  {
    path: '/journal',
    menu: { text: screenTexts.journal, icon: 'journal', key: 'j' },
    load: () => import('./screen/journal/journal.tsx'),
  },
  {
    path: '/projects',
    menu: { text: screenTexts.projects, icon: 'projects', key: 'o' },
    load: () => import('./screen/projects/projects.tsx'),
  },
  {
    path: '/settings',
    menu: { text: screenTexts.settings, icon: 'settings', key: 's' },
    load: () => import('./screen/settings/settings.tsx'),
  },
];
