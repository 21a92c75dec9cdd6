import { existsSync, statSync } from 'node:fs';
import { createApp } from '../app/application.ts';
import type { Ring } from '../app/rings.ts';
import { examineRings } from '../app/rings.ts';
import { ringPhrase } from '../app/rings-text.ts';
import type { Place } from '../config/locate.ts';
import { movedFrom } from '../config/locate.ts';
import { say } from '../surface/terminal/print.ts';
import type { Command } from './command.ts';
import { exitCode } from './command.ts';
import type { Config } from '../config/load.ts';
import { configure } from '../app/configure.ts';
import { listDefinitions } from '../gate/definition/catalog.ts';
import { hookedAgents } from '../fleet/agents.ts';
import { readBoundRun } from '../gate/run/bound-run.ts';
import { databaseName } from '../kernel/database-name.ts';
import { isProblem, problem } from '../kernel/problem.ts';
import type { Lang } from '../kernel/text.ts';
import { style } from '../surface/terminal/style.ts';
import { version } from '../kernel/version.ts';
import { messageOf } from '../kernel/failure.ts';

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
    const checks = await examine(flags);
    const sound = checks.every((one) => one.ok);
    if (json) process.stdout.write(`${JSON.stringify({ ok: sound, checks })}\n`);
    else {
      const width = Math.max(...checks.map((one) => one.name.length));
      for (const { name, ok, found, remedy } of checks)
        say(
          `${ok ? style.green('ok  ') : style.red('bad ')} ${name.padEnd(width)}  ${found}${ok || remedy === undefined ? '' : `\n     ${' '.repeat(width)}  ${style.yellow(remedy)}`}\n`,
        );
    }
    return sound ? exitCode.ok : exitCode.refused;
  },
};

async function examine(flags: Parameters<typeof configure>[0]): Promise<readonly Check[]> {
  const checks: Check[] = [{ name: 'sekisho', ok: true, found: `${version}, Node ${process.versions.node}` }];
  let config: Config;
  try {
    config = await configure(flags);
  } catch (error) {
    return [
      ...checks,
      {
        name: 'configuration',
        ok: false,
        found: describe(error),
        remedy: 'Correct it; docs/configuration.md has every key.',
      },
    ];
  }
  checks.push(
    { name: 'configuration', ok: true, found: config.file?.path ?? 'defaults' },
    projectCheck(config.place),
    stateCheck(config.place),
    ...tokenChecks(config),
  );
  const app = createApp(config);
  try {
    const store = await app.store();
    const run = await readBoundRun(store, config.project, config.runId);
    checks.push({ name: 'database', ok: true, found: `${store.location}, ${await store.head()} journal rows` });
    checks.push({
      name: 'current run',
      ok: true,
      found: run === undefined ? 'none' : `${run.id}: ${run.processId}, ${run.state}`,
    });
    checks.push(...ringChecks(await examineRings(config, { store }), run !== undefined, config.lang));
  } catch (error) {
    const reason = messageOf(error);
    const trouble = isProblem(error) ? error : problem.STORE_UNAVAILABLE({ location: databaseName(config.db), reason });
    checks.push(...ringChecks(await examineRings(config, { trouble }), false, config.lang));
  } finally {
    await app.close();
  }
  const broken = (await listDefinitions(config)).filter((one) => one.definition === undefined);
  checks.push({
    name: 'processes',
    ok: broken.length === 0,
    found: broken.length === 0 ? 'all usable' : broken.map((one) => one.file).join(', '),
    remedy: 'sekisho gate lint tells what is wrong.',
  });
  return checks;
}

/** Whether whoever works here is held to this project, wherever they go in it. */
function projectCheck(place: Place): Check {
  const { root, tree, home, registered } = place;
  const found = `${root}${tree === root ? '' : `, here in its worktree ${tree}`}`;
  if (registered) {
    const ok = existsSync(home);
    const gone = ok ? '' : '; its .sekisho folder is gone, its state is not';
    return { name: 'project', ok, found: found + gone, remedy: `git checkout -- .sekisho, or: sekisho init '${root}'` };
  }
  const [moved] = movedFrom(place);
  return {
    name: 'project',
    ok: false,
    found: `${found}, not registered`,
    remedy:
      moved === undefined
        ? 'Its folder can be left by going into another one. To register it: sekisho init'
        : `${moved.path} was registered and is gone. If it was moved here: sekisho init '${root}' --moved-from '${moved.path}'. If not: sekisho init`,
  };
}

function stateCheck({ data }: Place): Check {
  const mode = process.platform === 'win32' ? 0 : (statSync(data.state, { throwIfNoEntry: false })?.mode ?? 0);
  const remedy = `Others can look into it: chmod 700 '${data.state}'`;
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
      remedy: `Others can read it: chmod 600 '${path}'`,
    }));
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

function describe(error: unknown): string {
  return isProblem(error) ? error.in('en') : messageOf(error);
}
