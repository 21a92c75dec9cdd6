import * as z from 'zod';
import { runProgram } from '../../machine/run-program.ts';
import type { Launch } from '../../sandbox/port.ts';
import { type GuardAccess, defineGuard, guardParameters, satisfied, leaveUndecided } from '../guard.ts';
import { phrase } from '../phrase.ts';

/**
 * A program exits with the expected code. It runs without a shell in the run's tree, and only if a person has trusted the
 * definition's file. The result is bound to the evidence that it saw: if a file changes while it runs, the result does not
 * count.
 */
export const command = defineGuard({
  type: 'command',
  needsFiles: () => true,
  expensive: true,
  parameters: guardParameters('command', {
    command: z.union([z.array(z.string()).min(1), z.strictObject({ config: z.literal('test') })]),
    timeout_ms: z.int().min(1).max(3_600_000).default(600_000),
    exit_code: z.int().min(0).max(255).default(0),
  }),
  programs: (spec) => [Array.isArray(spec.command) ? spec.command.join(' ') : 'config: test'],
  async check(spec, look) {
    const words = Array.isArray(spec.command) ? spec.command : look.testCommand;
    if (words === undefined) return leaveUndecided(look, phrase.guardCommandUnset());
    const line = words.join(' ');
    if (!(await look.trusted())) return leaveUndecided(look, phrase.guardCommandUntrusted({ command: line }));
    if (!look.deciding) return leaveUndecided(look, phrase.guardCommandPending({ command: line }));
    const saw = look.evidence.artifacts;
    const findChanged = async () => {
      for (const { path, digest } of saw) if ((await look.file(path))?.digest !== digest) return path;
      return undefined;
    };
    const changedBefore = await findChanged();
    if (changedBefore !== undefined) return leaveUndecided(look, phrase.guardFileChanged({ path: changedBefore }));
    const launch = await look.confine({ line: words, tree: look.tree, env: { ...agentMark, ...look.env() } });
    if ('refused' in launch)
      return leaveUndecided(look, phrase.guardCommandSandbox({ command: line, reason: look.say(launch.refused) }));
    const result = await runCommand(launch, look, spec.timeout_ms);
    const changed = await findChanged();
    if (changed !== undefined) return leaveUndecided(look, phrase.guardFileChanged({ path: changed }));
    const output = look.keep(result.output);
    const kept = [output];
    const note = {
      command: words,
      exit_code: result.exitCode ?? null,
      duration_ms: Math.round(result.durationMs),
      ...(launch.sandbox !== undefined && { sandbox: launch.sandbox }),
      output,
      saw: Object.fromEntries(saw.map((file) => [file.path, file.digest])),
    };
    if (result.exitCode === spec.exit_code) return { ...satisfied, note, kept };
    const ended = result.timedOut
      ? look.say(phrase.guardCommandTimeout({ ms: spec.timeout_ms }))
      : (result.error ??
        look.say(phrase.guardCommandExit({ current: result.exitCode ?? -1, required: spec.exit_code })));
    // Name the sandbox: tests often fail because it blocks something that they need.
    const { sandbox } = launch;
    const outcome = sandbox === undefined ? ended : look.say(phrase.guardInSandbox({ outcome: ended, sandbox }));
    return {
      satisfied: false,
      ...(result.exitCode === undefined && { undetermined: true }),
      reason: look.say(phrase.guardCommandFailed({ command: line, outcome, output: result.tail })),
      note,
      kept,
    };
  },
});

const keptOutput = 64 * 1024;
const shownOutput = 2000;

/** The program may run code that agents wrote, so its calls to Sekisho count as an agent's. */
const agentMark = { SEKISHO_AGENT_ID: 'guard' };

async function runCommand(launch: Launch, look: Pick<GuardAccess, 'tree' | 'signal'>, timeoutMs: number) {
  let output = Buffer.alloc(0);
  const end = await runProgram([launch.program, ...launch.args], {
    cwd: look.tree,
    env: launch.env,
    descriptors: launch.descriptors,
    onStart: () => launch.started(),
    signal: look.signal,
    timeoutMs,
    onOutput: (chunk) => {
      output = Buffer.concat([output, chunk]).subarray(-keptOutput);
    },
  });
  await launch.ended();
  return { ...end, output, tail: output.toString('utf8').slice(-shownOutput).trim() };
}
