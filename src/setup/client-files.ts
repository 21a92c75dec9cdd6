import { join } from 'node:path';
import { repositoryOf } from '../config/worktree.ts';
import type { AgentCli } from '../fleet/agent-cli.ts';
import { hookFor, ownServer } from '../fleet/host/prepare.ts';
import { invocations } from './invocation.ts';
import { withoutPart, withPart } from './setup-part.ts';
import { problem } from '../kernel/problem.ts';
import { readRegular } from '../machine/regular-file.ts';
import { type SandboxPlace, fixedPaths, startedClient } from '../sandbox/place.ts';
import { isWithin } from '../base/path.ts';

/** The client's files as the sandbox shows them: with our server, and our hooks unless the command passes them. */
export function clientFilesInside(cli: AgentCli, place: SandboxPlace): Readonly<Record<string, string>> {
  if (cli.setup === undefined) return {};
  const { command, args } = ownServer();
  const calling = { scope: 'own', shim: command, tree: place.tree, repository: repositoryOf(place.tree) } as const;
  const files = cli.setup({
    ...invocations(cli.id, { ...calling, env: { HOME: place.home } }),
    hook: hookFor(cli),
    mcp: { command, args },
  });
  const found: Record<string, string> = {};
  for (const file of files) {
    const real = realFile(place, file.path);
    if (real === undefined) continue;
    const part = { ...file, client: cli.id };
    const before = textOf(real);
    if (cli.confineHandsHooks !== true) found[file.path] = withPart(part, before);
    else if (before !== undefined) found[file.path] = withoutPart(part, before, before) ?? '';
  }
  return found;
}

/** The real path of a client's file; undefined if the sandbox does not keep it fixed. */
function realFile(place: SandboxPlace, path: string): string | undefined {
  for (const { path: name, from, fixed } of startedClient(place)?.home ?? []) {
    const folder = join(place.home, name);
    if (fixedPaths(fixed).some((one) => isWithin(path, join(folder, one))))
      return join(from ?? folder, path.slice(folder.length));
  }
  return undefined;
}

function textOf(path: string): string | undefined {
  const read = readRegular(path);
  if ('text' in read) return read.text;
  if (read.fault === 'ENOENT' || read.fault === 'ENOTDIR') return undefined;
  throw problem.BAD_CONFIGURATION({ file: path, reason: read.fault });
}
