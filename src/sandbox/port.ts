import { definePort } from '../kernel/port.ts';
import { type Sentence, definePhrases } from '../kernel/text/text.ts';
import * as ja from './ja.ts';

/** How a program is started: as it is, or in a sandbox. */
export interface Launch {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** To follow the three usual ones. */
  readonly descriptors: readonly number[];
  /** The sandbox's name; undefined where there is none around it. */
  readonly sandbox: string | undefined;
  /** Credentials of the home that are not there inside, as `sandbox.allow` would name them. */
  readonly hidden: readonly string[];
  /** As soon as it was started, or could not be. */
  started(): void;
  /** When it has ended. */
  ended(): Promise<void>;
}

export interface ConfinedStart {
  readonly line: readonly string[];
  /** The only folder that is writable inside. */
  readonly tree: string;
  /** Not even that one. */
  readonly readOnly?: boolean;
  /** Where it starts; the tree where absent. */
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The agent CLI that it is, by its id: then it finds its own files of the user's home. */
  readonly client?: string;
  /** Holds its way back to us: becomes the session's folder. */
  readonly session?: string;
}

/** Whether programs that are started in a project are shut in, and which sockets they may reach there. */
export interface SandboxSetting {
  readonly mode: SandboxMode;
  readonly allow: readonly string[];
}

export const sandboxModes = ['required', 'auto', 'off'] as const;

/** `off`: never. `required`: always. `auto`: wherever a sandboxed agent has worked. */
export type SandboxMode = (typeof sandboxModes)[number];

/** A launch, or why there must be a sandbox and is none. */
export type Confine = (start: ConfinedStart) => Promise<Launch | { readonly refused: Sentence }>;

/** Whatever starts a program in a project asks this first: what an agent wrote in a sandbox must not run outside of one. */
export const confinePort = definePort<Confine>('kernel.confine', (start) => Promise.resolve(bareLaunch(start)));

/** What the configuration says. An agent's role may say otherwise. */
export const sandboxPort = definePort<SandboxSetting>('kernel.sandbox', { mode: 'auto', allow: [] });

/** What stands in a project and is nobody's work, by paths below it. */
export interface FilesNotWrittenByAgents {
  /** Files that with this very text are as good as not there: we put them there while an agent works. */
  readonly blank: Readonly<Record<string, string>>;
  /** Files and folders that agent CLIs make by themselves. */
  readonly made: readonly string[];
  /** JSON files, each with keys that agent CLIs set by themselves; everything else in them counts. */
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
  readonly path: string;
  readonly disabled: readonly string[];
  readonly failed: readonly string[];
}

/** The journal's word for them. */
export const repositoriesAppeared = 'sandbox.repositories';

const mostNamed = 10;

export const english = {
  repositories: ({ list, disabled }: { list: string; disabled: boolean }) =>
    `Git repositories appeared or changed in the sandbox: ${list}.${disabled ? ' Git would have started what was disabled there; it is kept under a name with "sekisho-removed".' : ''}`,
  disabled: ({ what }: { what: string }) => `disabled: ${what}`,
  failed: ({ what }: { what: string }) => `COULD NOT BE DISABLED, do not use git there: ${what}`,
};

const phrase = definePhrases(english, ja.port);

/** What a person is told of them. */
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
