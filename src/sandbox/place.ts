/** Whatever names hooks, servers or programs. Paths are relative. */
export interface Fixed {
  /** Better than files: see `profile.ts`. */
  readonly folders: readonly string[];
  /** A file, and a text for it that says nothing, for where it does not exist yet. */
  readonly files: Readonly<Record<string, string>>;
}

/** What an agent CLI keeps where, as far as the sandbox must know. */
export interface ClientPlaces {
  readonly project: Fixed;
  /** In the user's home, of the client that is started: all that is not named here is the sandbox's own. */
  readonly home: readonly ClientFolder[];
  /** Files and folders of the home that hold its login: other clients do not get them. */
  readonly logins?: readonly string[];
}

export interface ClientFolder {
  readonly path: string;
  /** The variable that names another folder; it is set inside, so that the client keeps everything in there. */
  readonly variable?: string;
  /** What the client appends to that variable, which other programs have too: it is set only where it was. */
  readonly below?: string;
  /** Where the person's is, if that variable says so. Inside, it is where it always is. */
  readonly from?: string | undefined;
  readonly fixed: Fixed;
  /** What the client outside shares: credentials that are renewed, transcripts. Nothing that anybody runs. */
  readonly shared: readonly string[];
  /** Files from elsewhere in the home that the sandbox's own folder begins with. */
  readonly seeds: Readonly<Record<string, string>>;
}

/** What is shut in, and where everything is. All paths are absolute and free of links. */
export interface SandboxPlace {
  /** The main checkout. */
  readonly project: string;
  /** The checkout or worktree to work in: the only part of the project that is writable. */
  readonly tree: string;
  /** Not even the tree is writable: whoever is inside only looks. */
  readonly readOnly?: boolean | undefined;
  readonly cwd: string;
  /** The folder of git's own files and, for a worktree, the file `.git` that leads there. */
  readonly git: string | undefined;
  /** What git keeps about this worktree, in its own folder; undefined in a main checkout. */
  readonly record?: string | undefined;
  readonly home: string;
  /** Sekisho's data folder: absent inside. */
  readonly data: string;
  /** Folders with our own program and Node: there and read-only, wherever they are. */
  readonly own: readonly string[];
  /** Becomes `/run/sekisho`: the session's socket and the configuration that is handed to the client. */
  readonly session: string | undefined;
  /** Every client whose files are protected, by its id. */
  readonly clients: Readonly<Record<string, ClientPlaces>>;
  /** The id of the client that is started; none for guards, upstreams and other programs. */
  readonly started: string | undefined;
  /** Its files in the home that read differently inside, by path. They lie in what is fixed; the real ones stay as they are. */
  readonly replaced?: Readonly<Record<string, string>>;
  /** Names of sockets (`allowed.ts`); paths of some, and of credentials, absolute or with `~/`. */
  readonly allow: readonly string[];
}

/** With a folder of this one sandbox, in the data folder: another could have planted links in it. */
export interface PreparedPlace extends SandboxPlace {
  readonly keep: string;
}

/** The place of the session's folder inside. Fixed: Codex gives its servers a bare environment. */
export const sessionFolder = '/run/sekisho';
/** The name of the socket in it. */
export const sessionSocket = 'agent.sock';

export function startedClient({ clients, started }: SandboxPlace): ClientPlaces | undefined {
  return started === undefined ? undefined : clients[started];
}

export function fixedPaths({ folders, files }: Fixed): readonly string[] {
  return [...folders, ...Object.keys(files)];
}
