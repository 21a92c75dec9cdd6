import { rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createApp } from '../app/application.ts';
import { clientFilesInside } from '../setup/client-files.ts';
import { configure } from '../app/configure.ts';
import { callingOf } from '../setup/rings.ts';
import { sandboxPlace } from '../sandbox/project-place.ts';
import { sandboxPhrase, whyUnavailable } from '../sandbox/sandbox-text.ts';
import { type HeldSession, holdSession } from '../daemon/sandbox-session-client.ts';
import { sessionEntry, sessionIdentity } from '../daemon/sandbox-session.ts';
import { findStoreReach, reachText } from '../sandbox/store-reach.ts';
import { type Config, readSurroundings, withoutOwnAgent } from '../config/load.ts';
import type { AgentCli } from '../fleet/agent-cli.ts';
import { agentMarks, agents, findAgentCli, findApplication, programNames } from '../fleet/agents.ts';
import { findHooksOff } from '../fleet/host/hook-required.ts';
import { ownServer } from '../fleet/host/prepare.ts';
import { clients } from '../setup/install.ts';
import { inspectClient } from '../setup/inspect-setup.ts';
import { repositoriesAppeared, repositoriesText } from '../sandbox/port.ts';
import { messageOf } from '../base/failure.ts';
import { problem } from '../kernel/problem.ts';
import { entry } from '../kernel/store/journal.ts';
import { findFirst } from '../machine/find-program.ts';
import { runInForeground } from '../machine/foreground.ts';
import { tellHidden } from '../sandbox/credentials.ts';
import { sessionFolder } from '../sandbox/place.ts';
import { probeSandbox } from '../sandbox/probe.ts';
import { watchRepositories } from '../sandbox/repositories.ts';
import { type SandboxedLaunch, wrapInSandbox } from '../sandbox/sandboxed.ts';
import { realSight } from '../sandbox/sight.ts';
import { escapeControlCharacters } from '../surface/terminal/escape-control-characters.ts';
import { sayAside } from '../surface/terminal/print.ts';
import { type Command, exitCode } from './frame/command.ts';
import { needDaemon } from './frame/needed-daemon.ts';
import { type Sentence, inLang } from '../kernel/text/text.ts';

export const run: Command = {
  options: { unsandboxed: { type: 'boolean' }, allow: { type: 'string', multiple: true } },
  passesOn: true,
  usage:
    'sekisho run [--allow ssh-agent] [--unsandboxed] claude|codex|gemini|… [its own arguments]\n  sekisho run -- program [arguments]',
  examples: ['sekisho run claude', 'sekisho run codex exec "fix the test"', 'sekisho run --allow ssh-agent -- bash'],
  async run({ flags, options, positionals }) {
    const asProgram = positionals[0] === '--';
    const [word, ...given] = asProgram ? positionals.slice(1) : positionals;
    if (word === undefined) throw problem.PROGRAM_MISSING({ example: 'sekisho run claude' });
    const around = withoutOwnAgent(readSurroundings());
    const config = await configure(flags, around);
    const { lang } = config;
    const say = (text: string) => sayAside(`${escapeControlCharacters(text)}\n`);
    const application = asProgram ? undefined : findApplication(word);
    if (application !== undefined) {
      say(sandboxPhrase.notStarted({ client: application.id })(lang));
      return exitCode.usage;
    }
    const cli = asProgram
      ? undefined
      : agents.find((one) => [one.id, one.program, ...(one.otherNames ?? [])].includes(basename(word)));
    const names = cli === undefined || word.includes('/') ? [word] : programNames(cli, undefined);
    const name = names[0] ?? word;
    const client = asProgram ? undefined : (cli ?? agentMarks.find(({ id }) => id === basename(word)))?.id;
    const program = findFirst(names, around.env['PATH'] ?? '', around.cwd);
    if (program === undefined) {
      say(sandboxPhrase.notFound({ program: name, install: inLang(cli?.install ?? '', lang) })(lang));
      return exitCode.usage;
    }
    const asked = [options['allow'] ?? []].flat().filter((one) => typeof one === 'string');
    const wished = [...new Set([...config.sandbox.allow, ...asked])];
    if (options['unsandboxed'] === true) {
      say(sandboxPhrase.unsandboxed()(lang));
      const unasked = findUnasked(client, config, false);
      if (unasked !== undefined) say(sandboxPhrase.unasked({ reason: unasked(lang) })(lang));
      const app = createApp(config);
      const context = await app.context({ as: 'system' });
      const started = { client: cli?.id, ring: 2 as const, sandbox: undefined, open: undefined, allow: [] };
      await context.store.commit([], [sessionEntry(context, context.newId('session:'), started)]);
      await app.close();
      const line = { program, args: given, env: around.env, cwd: around.cwd, wrapped: false, descriptors: [] };
      const never = new AbortController().signal;
      return (await runInForeground({ ...line, onStart: () => undefined, signal: never })) ?? exitCode.internal;
    }
    const shape = { cwd: around.cwd, session: undefined, started: cli?.id, allow: wished };
    const bare = sandboxPlace(config.place, around.env, shape);
    const there = cli !== undefined && replacesFiles ? { ...bare, replaced: clientFilesInside(cli, bare) } : bare;
    const { allow } = there;
    const found = await probeSandbox(there, around.env);
    if ('reason' in found) {
      say(sandboxPhrase.none({ reason: whyUnavailable(found, lang) })(lang));
      return exitCode.unavailable;
    }
    const daemon = await needDaemon(config);
    const reach = findStoreReach(config, around.env, allow);
    const session = await holdSession(daemon.url, daemon.token, config.place.tree, {
      client: cli?.id,
      ring: reach === undefined ? 3 : 2,
      sandbox: found.kind,
      open: reach?.way,
      allow,
    });
    const place = { ...there, session: session.folder };
    const line = [program, ...confinedArguments(cli, session, daemon.url), ...given];
    const unwatch = await watchRepositories(place, config.place.state, {
      by: sessionIdentity(session.folder),
      env: around.env,
      async report(appeared, by) {
        say(repositoriesText(appeared)(lang));
        const app = createApp(config);
        try {
          const context = await app.context({ as: 'system' });
          await context.store.commit([], [entry(context, by, repositoriesAppeared, { found: appeared })]);
        } catch (error) {
          say(messageOf(error)); // The exit code stays that of the program inside.
        } finally {
          await app.close();
        }
      },
    });
    const box = wrapInSandbox(line, place, around.env);
    if ('reason' in box) {
      await unwatch();
      session.end();
      say(sandboxPhrase.none({ reason: whyUnavailable(box, lang) })(lang));
      return exitCode.unavailable;
    }
    const open = allow.length === 0 ? '' : sandboxPhrase.open({ allow: allow.join(', ') })(lang);
    const unasked = findUnasked(client, config, true);
    if (unasked !== undefined) say(sandboxPhrase.unasked({ reason: unasked(lang) })(lang));
    if (reach === undefined && unasked !== undefined) say(sandboxPhrase.boxOnly({ kind: box.kind })(lang));
    else if (reach === undefined) say(sandboxPhrase.ring({ kind: box.kind, open })(lang));
    else say(sandboxPhrase.ringOff({ kind: box.kind, reason: reachText(reach, lang) })(lang));
    const hidden = tellHidden(place, realSight);
    const [first] = hidden;
    if (first !== undefined) say(sandboxPhrase.hidden({ hidden: hidden.join(', '), first })(lang));
    if (box.kind === 'sandbox-exec') say(sandboxPhrase.experimental()(lang));
    if (cli?.confine !== undefined) say(sandboxPhrase.ownSandboxOff({ client: cli.id })(lang));
    const code = await start(box, around.cwd, session);
    if (session.lost.aborted) say(sandboxPhrase.daemonDied()(lang));
    session.end();
    // A killed daemon has not removed the folder.
    rmSync(session.folder, { recursive: true, force: true });
    await box.ended();
    await unwatch();
    return session.lost.aborted && code === undefined ? exitCode.unavailable : (code ?? exitCode.internal);
  },
};

function start(box: SandboxedLaunch, cwd: string, session: HeldSession): Promise<number | undefined> {
  const { program, args, env, descriptors } = box;
  const wrapped = box.kind === 'bwrap';
  const onStart = () => box.started();
  return runInForeground({ program, args, env, cwd, wrapped, descriptors, onStart, signal: session.lost });
}

/** Only Linux mounts replacements over the client's files; elsewhere the program inside sees the person's own. */
const replacesFiles = process.platform === 'linux';

/** The reason why the client does not ask before it uses a tool; undefined where it does. */
function findUnasked(client: string | undefined, config: Config, isInside: boolean): Sentence | undefined {
  if (client === undefined) return undefined;
  const asking = clients.find((one) => one.id === client);
  if (asking === undefined) return sandboxPhrase.cannotAsk({ client });
  const cli = findAgentCli(client);
  if (isInside && cli.confineHandsHooks === true) return undefined;
  const file = findHooksOff(cli, config.place.tree, config.environment);
  if (file !== undefined) return sandboxPhrase.hooksSwitchedOff({ client, file });
  return (isInside && replacesFiles) || inspectClient(asking, callingOf(config)).hook !== undefined
    ? undefined
    : sandboxPhrase.notPrepared({ client });
}

/** Writes the client's configuration into the session's folder (read-only inside) and returns its arguments. */
function confinedArguments(cli: AgentCli | undefined, session: HeldSession, url: string): readonly string[] {
  const confined = cli?.confine?.({
    folder: process.platform === 'linux' ? sessionFolder : session.folder,
    hookUrl: `${url}/hook/${cli.id}`,
    hookToken: session.hookToken,
    mcp: ownServer(),
  });
  for (const [name, text] of Object.entries(confined?.files ?? {}))
    writeFileSync(join(session.folder, name), text, { mode: 0o600 });
  return confined?.args ?? [];
}
