import { definePort } from '../kernel/port.ts';
import { type Sentence, definePhrases } from '../kernel/text/text.ts';
import * as ja from './ja.ts';

/** How a program is started: as it is, or in a sandbox. */
export interface Launch {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Descriptors after stdin, stdout and stderr. */
  readonly descriptors: readonly number[];
  /** The sandbox's name; undefined without a sandbox. */
  readonly sandbox: string | undefined;
  /** Credentials of the home that are hidden inside, as `sandbox.allow` would name them. */
  readonly hidden: readonly string[];
  /** Call it once the program was started, or could not be. */
  started(): void;
  /** Call it when the program has ended. */
  ended(): Promise<void>;
}

export interface ConfinedStart {
  readonly line: readonly string[];
  /** The only folder that is writable inside. */
  readonly tree: string;
  /** True if not even the tree is writable. */
  readonly readOnly?: boolean;
  /** The working directory; absent: the tree. */
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The id of the agent CLI that is started, which then finds its own files of the user's home. */
  readonly client?: string;
  /** The session's folder, with the socket by which it reaches us. */
  readonly session?: string;
}

/** Whether programs of a project run in a sandbox, and which ways out they have. */
export interface SandboxSetting {
  readonly mode: SandboxMode;
  readonly allow: readonly string[];
}

export const sandboxModes = ['required', 'auto', 'off'] as const;

/** `off`: never. `required`: always. `auto`: wherever a sandboxed agent has worked. */
export type SandboxMode = (typeof sandboxModes)[number];

/** Makes a launch, or refuses it because a sandbox is required and there is none. */
export type Confine = (start: ConfinedStart) => Promise<Launch | { readonly refused: Sentence }>;

/** The launcher for all programs of a project: a program that an agent wrote in a sandbox must not run outside of one. */
export const confinePort = definePort<Confine>('kernel.confine', (start) => Promise.resolve(bareLaunch(start)));

/** The setting of the configuration. An agent's role can have its own. */
export const sandboxPort = definePort<SandboxSetting>('kernel.sandbox', { mode: 'auto', allow: [] });

/** The files in a project that are not the agent's work, by paths below it. */
export interface FilesNotWrittenByAgents {
  /** Files that are ignored if they have exactly this text: we place them while an agent works. */
  readonly blank: Readonly<Record<string, string>>;
  readonly made: readonly string[];
  /** JSON files with the keys that agent CLIs set by themselves. Changes of other keys count. */
  readonly keys: Readonly<Record<string, readonly string[]>>;
}

export const filesNotWrittenByAgentsPort = definePort<() => Promise<FilesNotWrittenByAgents>>(
  'kernel.nobodys-work',
  () => Promise.resolve({ blank: {}, made: [], keys: {} }),
);

export function bareLaunch({ line, env }: ConfinedStart): Launch {
  const [program = '', ...args] = line;
  const ended = () => Promise.resolve();
  return { program, args, env, descriptors: [], sandbox: undefined, hidden: [], started: () => undefined, ended };
}

/** A git repository that appeared in a sandbox, or in which something was disabled (`sandbox/repositories.ts`). */
export interface AppearedRepository {
  /** Below the tree, or absolute. */
  readonly path: string;
  /** Keys of its configuration, hooks, and files that lead git elsewhere. All are kept under other names. */
  readonly disabled: readonly string[];
  readonly failed: readonly string[];
}

export const repositoriesAppeared = 'sandbox.repositories';

const mostNamed = 10;

export const english = {
  repositories: ({ list, disabled }: { list: string; disabled: boolean }) =>
    `Git repositories appeared or changed in the sandbox: ${list}.${disabled ? ' Sekisho disabled what git would have run there. It is kept under names with "sekisho-removed".' : ''}`,
  disabled: ({ what }: { what: string }) => `disabled: ${what}`,
  failed: ({ what }: { what: string }) => `COULD NOT BE DISABLED, do not use git there: ${what}`,
};

const phrase = definePhrases(english, ja.port);

export function repositoriesText(found: readonly AppearedRepository[]): Sentence {
  return (lang) => {
    const named = found.slice(0, mostNamed).map(({ path, disabled, failed }) => {
      const notes = [
        ...(disabled.length === 0 ? [] : [phrase.disabled({ what: disabled.join(', ') })(lang)]),
        ...(failed.length === 0 ? [] : [phrase.failed({ what: failed.join(', ') })(lang)]),
      ];
      return notes.length === 0 ? path : `${path} (${notes.join('; ')})`;
    });
    const list = [...named, ...(found.length > mostNamed ? ['…'] : [])].join(', ');
    return phrase.repositories({ list, disabled: found.some((one) => one.disabled.length > 0) })(lang);
  };
}
