import { existsSync, statSync } from 'node:fs';
import stringWidth from 'string-width';
import { type App, createApp } from '../../app/application.ts';
import { configure } from '../../app/configure.ts';
import { messageOf } from '../../base/failure.ts';
import { version } from '../../base/version.ts';
import { type Config, type Flags, preferredLang, readSurroundings } from '../../config/load.ts';
import { findMovedRoots } from '../../config/locate.ts';
import { hookedAgents } from '../../fleet/agents.ts';
import { listDefinitions } from '../../gate/definition/catalogue.ts';
import { readBoundRuns } from '../../gate/run/bound-run.ts';
import { treeHolders } from '../../gate/run/holder.ts';
import { isProblem } from '../../kernel/problem.ts';
import type { Lang, Sentence } from '../../kernel/text/text.ts';
import { type Ring, examineRings, findStore } from '../../setup/rings.ts';
import { ringPhrase } from '../../setup/rings-text.ts';
import { pad } from '../../surface/terminal/fit.ts';
import { style } from '../../surface/terminal/style.ts';
import { doctorText } from './doctor-text.ts';
import { ringName } from './ring-name.ts';

export interface Check {
  /** The check's own name, or that of a ring: `trust`, `claude hooks`. */
  readonly name: string;
  readonly ok: boolean;
  readonly found: string;
  /** The fix, where the check fails. */
  readonly remedy?: string;
}

export interface Checks {
  readonly checks: readonly Check[];
  readonly lang: Lang;
}

/** Checks the installation, the project and its rings. A configuration that cannot be read is a failed check too. */
export async function examineAll(flags: Flags): Promise<Checks> {
  const first: Check = { name: 'sekisho', ok: true, found: `${version}, Node ${process.versions.node}` };
  let config: Config;
  try {
    config = await configure(flags);
  } catch (error) {
    const lang = preferredLang(process.argv, readSurroundings().env);
    const found = isProblem(error) ? error.in(lang) : messageOf(error);
    return { checks: [first, { name: 'configuration', ok: false, found, remedy: doctorText.correct()(lang) }], lang };
  }
  const { lang } = config;
  const app = createApp(config);
  try {
    const found = config.file?.path ?? doctorText.defaults()(lang);
    const configuration = { name: 'configuration', ok: true, found };
    const parts = [await storeChecks(app, lang), await processChecks(config)];
    return { checks: [first, configuration, ...privacyChecks(config), ...parts.flat()], lang };
  } finally {
    await app.close();
  }
}

export function renderChecks({ checks, lang }: Checks): string {
  const names = checks.map(({ name }) => nameIn(name, lang));
  const width = Math.max(...names.map((one) => stringWidth(one)));
  const lines = checks.map(({ ok, found, remedy }, at) => {
    const mark = ok ? style.green(pad(doctorText.ok()(lang), 4)) : style.red(pad(doctorText.bad()(lang), 4));
    const next = ok || remedy === undefined ? '' : `\n     ${' '.repeat(width)}  ${style.yellow(remedy)}`;
    return `${mark} ${pad(names[at] ?? '', width)}  ${found}${next}\n`;
  });
  return lines.join('');
}

/** The state folder and the agents' token, which no other user may read. */
function privacyChecks({ place: { data }, lang }: Config): readonly Check[] {
  if (process.platform === 'win32') return [];
  const isPrivate = (path: string) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) === 0;
  const [state, token] = [data.state, data.agentToken];
  return [
    { name: 'state', ok: isPrivate(state), found: state, remedy: doctorText.stateOpen({ path: state })(lang) },
    ...(existsSync(token)
      ? [{ name: 'token', ok: isPrivate(token), found: token, remedy: doctorText.tokenOpen({ path: token })(lang) }]
      : []),
  ];
}

async function storeChecks(app: App, lang: Lang): Promise<readonly Check[]> {
  const { config } = app;
  const found = await findStore(app);
  if ('trouble' in found) return ringChecks(config, await examineRings(config, found), false);
  const { store } = found;
  const [run] = await readBoundRuns(store, config.project, treeHolders(config.project));
  const rows = doctorText.rows({ location: store.location, rows: await store.head() })(lang);
  const current = run === undefined ? doctorText.none()(lang) : `${run.id}: ${run.processId}, ${run.state}`;
  return [
    { name: 'database', ok: true, found: rows },
    { name: 'current run', ok: true, found: current },
    ...(await peopleChecks(app, lang)),
    ...ringChecks(config, await examineRings(config, found), run !== undefined),
  ];
}

/** Whether the decisions of the person who asks count in this store. An agent's never do. */
async function peopleChecks(app: App, lang: Lang): Promise<readonly Check[]> {
  if (!(await app.isPerson({}))) return [];
  try {
    const { person, userDatabase: key = '' } = (await app.context({})).actor;
    const found = (person ? doctorText.counts : doctorText.countsNot)({ key })(lang);
    return [{ name: 'people', ok: person, found, remedy: doctorText.admit({ key })(lang) }];
  } catch (error) {
    if (!isProblem(error)) throw error;
    return [{ name: 'people', ok: false, found: error.in(lang) }];
  }
}

/** An open run that no client asks about is a failed check: people would rely on hooks that are not there. */
function ringChecks(config: Config, rings: readonly Ring[], runOpen: boolean): readonly Check[] {
  const { lang } = config;
  const checks = rings
    .filter(({ name, state }) => name !== 'store' || state === 'broken')
    .map(({ name, client, state, found, remedy }) => ({
      name: client === undefined ? (name === 'store' ? 'database' : name) : `${client} ${name}`,
      // A project that is not registered is a ring that is off, and here a fault.
      ok: name === 'project' ? state === 'on' : state !== 'broken',
      found: found(lang),
      ...(remedy !== undefined && { remedy: name === 'project' ? (moveRemedy(config) ?? remedy) : remedy }),
    }));
  if (!runOpen || rings.some((one) => one.name === 'hooks')) return checks;
  const remedy = `sekisho init --client ${hookedAgents.map((one) => one.id).join('|')}`;
  return [...checks, { name: 'hooks', ok: false, found: ringPhrase.noClient()(lang), remedy }];
}

/** How to take the store along, where a registered folder may have been moved here. */
function moveRemedy({ place, lang }: Config): string | undefined {
  const [moved] = place.registered ? [] : findMovedRoots(place);
  return moved && doctorText.moved({ from: moved.path, root: place.root })(lang);
}

async function processChecks(config: Config): Promise<readonly Check[]> {
  const { lang } = config;
  const broken = (await listDefinitions(config)).filter((one) => one.definition === undefined);
  const found = broken.length === 0 ? doctorText.usable()(lang) : broken.map((one) => one.file).join(', ');
  return [{ name: 'processes', ok: broken.length === 0, found, remedy: doctorText.lint()(lang) }];
}

function nameIn(name: string, lang: Lang): string {
  const own = names[name];
  if (own !== undefined) return own()(lang);
  const [client = '', ring] = name.split(' ');
  return ring === undefined ? ringName({ name }, lang) : ringName({ name: ring, client }, lang);
}

/** The checks that are not rings. */
const names: Readonly<Record<string, (() => Sentence) | undefined>> = {
  configuration: doctorText.configuration,
  state: doctorText.state,
  token: doctorText.token,
  people: doctorText.people,
  database: doctorText.database,
  'current run': doctorText.currentRun,
  processes: doctorText.processes,
};
