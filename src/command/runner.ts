import { printJson, say } from '../surface/terminal/print.ts';
import { configure } from '../app/configure.ts';
import { hostname } from 'node:os';
import { type App, createApp } from '../app/application.ts';
import { type Command, exitCode } from './frame/command.ts';
import { type Config, type Flags, readSurroundings } from '../config/load.ts';
import type { Context } from '../kernel/context.ts';
import { connectMcp } from '../surface/mcp/client.ts';
import { packagePath } from '../base/package.ts';
import { settings as workSettings } from '../work/settings.ts';
import { version } from '../base/version.ts';
import { phrase, problem as workProblem } from '../work/problem.ts';
import { createNames } from '../work/runner/names.ts';
import { checkPasskeyFile } from '../work/runner/passkey-file.ts';
import { readPasskeys } from '../work/runner/passkeys.ts';
import { isIdle, Runner } from '../work/runner/runner.ts';
import { isStuck } from '../work/task/stuck.ts';
import { messageOf } from '../base/failure.ts';
import { reportJson, reportLines, reportScreen } from './runner-report.ts';
import { words } from './words.ts';

export const runner: Command = {
  options: {
    once: { type: 'boolean' },
    stop: { type: 'boolean' },
    'until-idle': { type: 'boolean' },
    leave: { type: 'boolean' },
    url: { type: 'string' },
  },
  usage: 'sekisho runner [--once | --until-idle] [--url https://…/mcp] [--leave] | sekisho runner --stop',
  examples: [
    'sekisho runner',
    { line: 'sekisho runner --once', note: words('from cron') },
    { line: 'sekisho runner --until-idle', note: words('ends when nothing is left to start') },
    { line: 'sekisho runner --stop', note: words('ends the instances that were started here') },
    'sekisho runner --db postgres://sekisho@db.internal/sekisho --url http://127.0.0.1:9696/mcp',
  ],
  async run({ flags, json, options }) {
    const loaded = await configure(flags);
    await checkPasskeyFile(loaded);
    // Read each time, because a person may add or rotate a passkey meanwhile.
    const passkeys = () => ({ ...readPasskeys(loaded), ...workSettings.of(loaded).runner.passkeys });
    const config = { ...loaded, environment: withoutSecrets(loaded.environment, Object.values(passkeys())) };
    const app = createApp(config);
    const ending = new AbortController();
    const context = await app.context({ as: 'runner', signal: ending.signal });
    const one = createRunner(app, context, flags, passkeys, options['url']);
    const names = createNames(context);
    const now = () => context.now();
    const lines = () =>
      json ? reportJson(config.lang, now) : reportLines(config.lang, now, names, (line) => say(`${line}\n`));
    try {
      if (options['stop'] === true) {
        const stopped = await one.stopInstances();
        if (json) printJson({ stopped });
        else lines().note('stopped', { instances: stopped });
        return exitCode.ok;
      }
      if (options['once'] === true) {
        const round = await one.poll();
        const { started, waiting } = round;
        if (json) printJson({ started, waiting: waiting.map(({ waits, ...pair }) => ({ ...pair, ...waits })) });
        else await lines().tell(round);
        return exitCode.ok;
      }
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort());
      // A closed pipe (`| head`) ends it too.
      process.stdout.once('error', () => ending.abort());
      const { pollIntervalMs, maxConcurrent } = workSettings.of(config).runner;
      const title = phrase.runnerTitle({ seconds: pollIntervalMs / 1000, most: maxConcurrent })(config.lang);
      const isPage = process.stdout.isTTY && !json;
      const report = isPage ? reportScreen(config.lang, now, names, title) : lines();
      let stuck = false;
      try {
        await one.run(ending.signal, async (told) => {
          await report.tell(told);
          if ('failed' in told) return false;
          stuck = told.waiting.length > 0 || isStuck(told.stuck);
          return options['until-idle'] === true && isIdle(told);
        });
        // On a signal it stops the agents that it started; after a kill the next Runner does.
        if (ending.signal.aborted && options['leave'] !== true)
          report.note('stopped', { instances: await one.stopInstances() });
      } finally {
        report.close();
      }
      if (options['until-idle'] === true && stuck) return exitCode.refused;
      return exitCode.ok;
    } finally {
      await one.disconnect();
      await app.close();
    }
  },
};

function createRunner(
  app: App,
  context: Context,
  flags: Flags,
  passkeys: () => Readonly<Record<string, string>>,
  givenUrl: unknown,
): Runner {
  const { config } = app;
  const settings = workSettings.of(config).runner;
  const url = typeof givenUrl === 'string' ? givenUrl : settings.url;
  return new Runner({
    context,
    pollIntervalMs: settings.pollIntervalMs,
    maxConcurrent: settings.maxConcurrent,
    connect: () => {
      if (url === undefined) return connectMcp('sekisho-runner', version, ownServer(config));
      return connectMcp('sekisho-runner', version, { url, token: settings.token ?? config.token }).catch(
        (error: unknown) => {
          throw workProblem.RUNNER_REFUSED({ url, reason: messageOf(error) });
        },
      );
    },
    hands: {
      name: `${hostname()}:${config.project.root}`,
      passkeyOf: (agentId) => passkeys()[agentId],
      placeOf: (folder) => placeOf(folder, flags),
    },
  });
}

/** The environment without passkeys: an agent must not inherit those of other agents. */
function withoutSecrets(environment: Config['environment'], secrets: readonly string[]): Config['environment'] {
  return Object.fromEntries(
    Object.entries(environment).filter(
      ([name, value]) => name !== 'SEKISHO_RUNNER_TOKEN' && !secrets.includes(value ?? ''),
    ),
  );
}

/** A stdio server of its own on the same store. It needs no identity there, because it only asks for work. */
function ownServer(config: Config) {
  return {
    command: [process.execPath, packagePath('bin', 'sekisho'), 'mcp', '--toolsets', 'work'] as const,
    cwd: config.project.tree,
    env: { ...config.environment, SEKISHO_DB: config.db, SEKISHO_PROJECT: config.project.tree },
  };
}

/** The configuration of the project that an agent in this folder belongs to. */
async function placeOf(folder: string, flags: Flags) {
  const around = readSurroundings();
  const { SEKISHO_PROJECT_KEY: _key, ...env } = around.env;
  return configure({ ...flags, project: folder }, { ...around, env });
}
