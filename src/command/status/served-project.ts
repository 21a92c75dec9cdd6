import type { Projects } from '../../daemon/projects.ts';
import { examineRings, findStore } from '../../setup/rings.ts';
import { listWaiting } from '../../gate/operation/list-waiting.ts';
import type { RingSeen } from './overview-view.ts';

/** The short status of a project in the greeting of `up`. */
export interface ServedProject {
  readonly root: string;
  readonly rings: readonly RingSeen[];
  /** The number of runs that wait for a person; undefined where the store is away. */
  readonly waiting: number | undefined;
}

/** Reads the short status; undefined where the folder is gone. A store that is away shows as a broken ring. */
export async function servedProject(root: string, find: Projects['find']): Promise<ServedProject | undefined> {
  const app = await find(root);
  if (app === undefined) return undefined;
  const found = await findStore(app);
  const { lang } = app.config;
  const rings = (await examineRings(app.config, found)).map((one) => ({ ...one, found: one.found(lang) }));
  if ('trouble' in found) return { root, rings, waiting: undefined };
  const context = { ...(await app.context({ as: 'system' })), actor: await app.actor({}) };
  const { waiting } = await listWaiting.run(context, listWaiting.input.parse({}));
  return { root, rings, waiting: waiting.length };
}
