import type { Projects } from '../../daemon/projects.ts';
import { examineRings, findStore } from '../../setup/rings.ts';
import { listWaiting } from '../../gate/operation/list-waiting.ts';
import type { RingSeen } from './overview-view.ts';

/** What a person wants to know of a project at a glance. */
export interface ServedProject {
  readonly root: string;
  readonly rings: readonly RingSeen[];
  /** How many runs wait for a person; undefined where the store is away. */
  readonly waiting: number | undefined;
}

/** Undefined where the folder is gone. A store that is away is a ring that is broken, and no reason not to serve the others. */
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
