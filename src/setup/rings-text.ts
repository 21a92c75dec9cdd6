import type { HookTrust } from '../fleet/agent-hook.ts';
import { definePhrases } from '../kernel/text/text.ts';
import { listFirstPaths } from '../kernel/text/list.ts';
import * as ja from './ja.ts';

export const english = {
  unregistered: ({ root }: { root: string }) =>
    `${root} is not registered: an agent can leave its gate by changing to another folder`,
  project: ({ root, tree, gone }: { root: string; tree: string | undefined; gone: boolean }) =>
    `${root}${tree === undefined ? '' : `, here in its worktree ${tree}`}${gone ? '; its .sekisho folder is missing, but its state is kept' : ''}`,
  noProgram: ({ shim }: { shim: string }) =>
    `${shim} or the program that it starts is missing: hooks and servers cannot run`,
  olderProgram: ({ inUse, own }: { inUse: string; own: string }) => `hooks and servers run ${inUse}, this is ${own}`,
  program: ({ shim, version, files }: { shim: string; version: string; files: number }) =>
    `${shim} starts ${version}, ${files} files as init recorded them`,
  otherProgram: ({ paths }: { paths: readonly string[] }) =>
    `differs from what init recorded, so it may do anything (sekisho journal verify names every file): ${listFirstPaths(paths)}`,
  unrecorded: ({ inUse }: { inUse: string }) =>
    `hooks and servers run ${inUse}, which init did not record: changes to it cannot be detected`,
  notPinned: ({ folder, clone }: { folder: string; clone: boolean }) =>
    `This command runs from ${clone ? 'the clone ' : ''}${folder}, which is not pinned`,
  files: ({ count }: { count: number }) =>
    count === 0 ? 'no file of the project needs trust' : `${count} project files, all as a person reviewed them`,
  unseen: ({ changed, unseen }: { changed: readonly string[]; unseen: readonly string[] }) =>
    [
      ...(changed.length > 0
        ? [`changed since a person reviewed it, so the reviewed version stays in effect: ${changed.join(', ')}`]
        : []),
      ...(unseen.length > 0 ? [`never reviewed by a person, so it cannot start a program: ${unseen.join(', ')}`] : []),
    ].join('; '),
  forged: ({ files }: { files: readonly string[] }) =>
    `the copy that hooks read differs from what a person trusted (sekisho journal verify names it): ${files.join(', ')}`,
  uncompiled: () => 'hooks cannot read the trusted configuration, so they refuse every tool',
  otherUser: ({ path }: { path: string }) =>
    `${path} with people, tokens and trust was removed, replaced or truncated: what was trusted can no longer be checked`,
  noHook: ({ client, worktree }: { client: string; worktree: boolean }) =>
    `no file makes ${client} ask before it uses a tool${worktree ? ' in this worktree' : ''}: its tools are not held back`,
  hooksOff: ({ file }: { file: string }) => `${file} switches all hooks off: its tools are not held back`,
  hookFails: ({ command, code, reason }: { command: string; code: number | null; reason: string }) =>
    `its command does not work (${code === null ? 'no exit code' : `exit code ${code}`}${reason === '' ? '' : `: ${reason}`}): ${command}`,
  hookElsewhere: ({ root, db, projectKey }: { root: string; db: string; projectKey: string | undefined }) =>
    `its command uses another project or database: ${root}, ${db}, project key ${projectKey ?? '?'}`,
  hookSkipped: ({ client, trust }: { client: string; trust: Exclude<HookTrust, 'trusted'> }) =>
    ({
      untrusted: `${client} skips the hook because you have not trusted it there, so its tools are not held back: start ${client} here and trust the hook (/hooks)`,
      changed: `${client} skips the hook because it has changed since you trusted it there, so its tools are not held back: start ${client} here and trust the hook again (/hooks)`,
      disabled: `the hook is switched off in ${client}, so its tools are not held back: start ${client} here and switch it on (/hooks)`,
      folder: `${client} skips the project’s hooks because it does not trust this folder, so its tools are not held back`,
    })[trust],
  hook: ({ command, trusted }: { command: string; trusted: boolean }) =>
    `asks through ${command}${trusted ? ', which you trusted in its own settings' : ''}`,
  noServer: ({ client }: { client: string }) => `no file makes ${client} start our server or connect to it`,
  server: ({ program }: { program: string }) => `${program} answers`,
  serverFails: ({ line, reason }: { line: string; reason: string }) => `does not answer (${reason}): ${line}`,
  httpNoUrl: ({ url }: { url: string }) => `its settings name an address that is not a URL: ${url}`,
  httpRemote: ({ url }: { url: string }) => `connects to ${url}, which cannot be checked from this machine`,
  httpNoDaemon: ({ url }: { url: string }) => `connects to ${url}, but the daemon is not running`,
  httpElsewhere: ({ url, daemon }: { url: string; daemon: string }) =>
    `connects to ${url}, but the daemon is at ${daemon}`,
  httpNoEndpoint: ({ url }: { url: string }) => `connects to ${url}, but the daemon serves MCP at /mcp`,
  httpNoProject: ({ url }: { url: string }) => `connects to ${url}, which names none of the registered projects`,
  httpOtherProject: ({ named, root }: { named: string; root: string }) =>
    `connects to the project ${named}, not to ${root}`,
  httpNoToken: ({ url }: { url: string }) => `connects to ${url} without a token, so the daemon refuses it`,
  asks: ({ client }: { client: string }) => `${client} runs the hooks`,
  trusted: () => 'the folder is trusted',
  receipts: ({ count, state }: { count: number; state: string }) =>
    count === 0 ? `has not asked in the state "${state}" so far` : `asked ${count} times in the state "${state}"`,
  editedUnasked: ({ state, paths }: { state: string; paths: readonly string[] }) =>
    `files changed in the state "${state}", which denies editing them, and no hook has asked: ${listFirstPaths(paths)}. If a client did it, its tools are not held back; if you did: sekisho admin accept-changes`,
  submittedUnasked: ({ state }: { state: string }) =>
    `an agent submitted an event in the state "${state}", and no hook had asked there: its tools are not held back`,
  sandbox: ({ kind }: { kind: string }) => `${kind} works here; sessions started with sekisho run use it`,
  noClient: () => 'no client was prepared, so nothing stops an agent’s own tools',
};

export const ringPhrase = definePhrases(english, ja.ringPhrase);
