import { existsSync, statSync } from 'node:fs';
import { type App, createApp } from '../app/application.ts';
import { type Ring, examineRings } from '../setup/rings.ts';
import { ringPhrase } from '../setup/rings-text.ts';
import { type ProjectPlace, movedFrom } from '../config/locate.ts';
import { say } from '../surface/terminal/print.ts';
import { type Command, exitCode } from './frame/command.ts';
import { type Config, type Flags, preferredLang, readSurroundings } from '../config/load.ts';
import { configure } from '../app/configure.ts';
import { listDefinitions } from '../gate/definition/catalogue.ts';
import { hookedAgents } from '../fleet/agents.ts';
import { readBoundRuns } from '../gate/run/bound-run.ts';
import { treeHolders } from '../gate/run/holder.ts';
import { databaseName } from '../base/database-name.ts';
import { isProblem, problem } from '../kernel/problem.ts';
import type { Lang, Sentence } from '../kernel/text/text.ts';
import { style } from '../surface/terminal/style.ts';
import { version } from '../base/version.ts';
import { messageOf } from '../base/failure.ts';
import stringWidth from 'string-width';
import { pad } from '../surface/terminal/fit.ts';
import { doctorText } from './status/doctor-text.ts';
import { ringName } from './status/ring-name.ts';

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly found: string;
  /** What to do where it is not as it should be. */
  readonly remedy?: string;
}

export const doctor: Command = {
  options: {},
  usage: 'sekisho doctor',
  examples: ['sekisho doctor', 'sekisho doctor --json'],
  async run({ flags, json }) {
    const { checks, lang } = await examine(flags);
    const sound = checks.every((one) => one.ok);
    if (json) process.stdout.write(`${JSON.stringify({ ok: sound, checks })}\n`);
    else {
      const names = checks.map(({ name }) => nameIn(name, lang));
      const width = Math.max(...names.map((one) => stringWidth(one)));
      checks.forEach(({ ok, found, remedy }, at) => {
        const mark = ok ? style.green(pad(doctorText.ok()(lang), 4)) : style.red(pad(doctorText.bad()(lang), 4));
        const next = ok || remedy === undefined ? '' : `\n     ${' '.repeat(width)}  ${style.yellow(remedy)}`;
        say(`${mark} ${pad(names[at] ?? '', width)}  ${found}${next}\n`);
      });
    }
    return sound ? exitCode.ok : exitCode.refused;
  },
};

interface Examined {
  readonly checks: readonly Check[];
  readonly lang: Lang;
}

async function examine(flags: Flags): Promise<Examined> {
  const checks: Check[] = [{ name: 'sekisho', ok: true, found: `${version}, Node ${process.versions.node}` }];
  let config: Config;
  try {
    config = await configure(flags);
  } catch (error) {
    const lang = preferredLang(process.argv, readSurroundings().env);
    const found = isProblem(error) ? error.in(lang) : messageOf(error);
    checks.push({ name: 'configuration', ok: false, found, remedy: doctorText.correct()(lang) });
    return { checks, lang };
  }
  const { lang } = config;
  checks.push(
    { name: 'configuration', ok: true, found: config.file?.path ?? doctorText.defaults()(lang) },
    projectCheck(config.place, lang),
    stateCheck(config.place, lang),
    ...tokenChecks(config),
  );
  const app = createApp(config);
  try {
    const store = await app.store();
    const [run] = await readBoundRuns(store, config.project, treeHolders(config.project));
    const found = doctorText.rows({ location: store.location, rows: await store.head() })(lang);
    checks.push({ name: 'database', ok: true, found });
    checks.push({
      name: 'current run',
      ok: true,
      found: run === undefined ? doctorText.none()(lang) : `${run.id}: ${run.processId}, ${run.state}`,
    });
    checks.push(...(await peopleChecks(app, lang)));
    checks.push(
      ...ringChecks(
        await examineRings(config, { store, context: await app.context({ as: 'system' }) }),
        run !== undefined,
        lang,
      ),
    );
  } catch (error) {
    const reason = messageOf(error);
    const trouble = isProblem(error) ? error : problem.STORE_UNAVAILABLE({ location: databaseName(config.db), reason });
    checks.push(...ringChecks(await examineRings(config, { trouble }), false, lang));
  } finally {
    await app.close();
  }
  const broken = (await listDefinitions(config)).filter((one) => one.definition === undefined);
  checks.push({
    name: 'processes',
    ok: broken.length === 0,
    found: broken.length === 0 ? doctorText.usable()(lang) : broken.map((one) => one.file).join(', '),
    remedy: doctorText.lint()(lang),
  });
  return { checks, lang };
}

/** Whether whoever works here is held to this project, wherever they go in it. */
function projectCheck(place: ProjectPlace, lang: Lang): Check {
  const { root, tree, home, registered } = place;
  const here = tree === root ? root : doctorText.worktree({ root, tree })(lang);
  if (registered) {
    const ok = existsSync(home);
    const found = ok ? here : doctorText.folderGone({ place: here })(lang);
    return { name: 'project', ok, found, remedy: doctorText.restore({ root })(lang) };
  }
  const [moved] = movedFrom(place);
  return {
    name: 'project',
    ok: false,
    found: doctorText.unregistered({ place: here })(lang),
    remedy: (moved === undefined ? doctorText.register() : doctorText.moved({ from: moved.path, root }))(lang),
  };
}

function stateCheck({ data }: ProjectPlace, lang: Lang): Check {
  const mode = process.platform === 'win32' ? 0 : (statSync(data.state, { throwIfNoEntry: false })?.mode ?? 0);
  const remedy = doctorText.stateOpen({ path: data.state })(lang);
  return { name: 'state', ok: (mode & 0o077) === 0, found: data.state, remedy };
}

/** Others must not read them. */
function tokenChecks(config: Config): readonly Check[] {
  return [config.place.data.agentToken]
    .filter((path) => existsSync(path) && process.platform !== 'win32')
    .map((path) => ({
      name: 'token',
      ok: (statSync(path).mode & 0o077) === 0,
      found: path,
      remedy: doctorText.tokenOpen({ path })(config.lang),
    }));
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

/** A client that was prepared and does not ask is worse than none: everybody believes in it. */
function ringChecks(rings: readonly Ring[], runOpen: boolean, lang: Lang): readonly Check[] {
  const checks = rings
    .filter(({ name, state }) => name !== 'project' && (name !== 'store' || state === 'broken'))
    .map(({ name, client, state, found, remedy }) => ({
      name: client === undefined ? (name === 'store' ? 'database' : name) : `${client} ${name}`,
      ok: state !== 'broken',
      found: found(lang),
      ...(remedy !== undefined && { remedy }),
    }));
  const asking = rings.some((one) => one.name === 'hooks');
  if (asking || !runOpen) return checks;
  const remedy = `sekisho init --client ${hookedAgents.map((one) => one.id).join('|')}`;
  return [...checks, { name: 'hooks', ok: false, found: ringPhrase.noClient()(lang), remedy }];
}

/** `claude hooks` is a client and a ring. */
function nameIn(name: string, lang: Lang): string {
  const own = names[name];
  if (own !== undefined) return own()(lang);
  const [client = '', ring] = name.split(' ');
  return ring === undefined ? ringName({ name }, lang) : ringName({ name: ring, client }, lang);
}

const names: Readonly<Record<string, (() => Sentence) | undefined>> = {
  configuration: doctorText.configuration,
  project: doctorText.project,
  state: doctorText.state,
  token: doctorText.token,
  people: doctorText.people,
  database: doctorText.database,
  'current run': doctorText.currentRun,
  processes: doctorText.processes,
};
