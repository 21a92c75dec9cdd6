/** Files and folders that name hooks, servers or programs, which must not change. Paths are relative. */
export interface Fixed {
  /** Folders are better than files: see `profile.ts`. */
  readonly folders: readonly string[];
  /** Files, each with a neutral text for a placeholder if it does not exist yet. */
  readonly files: Readonly<Record<string, string>>;
}

/** The files of an agent CLI that the sandbox must know. */
export interface ClientPlaces {
  readonly project: Fixed;
  /** The folders in the user's home of the client that is started. Other files in them are the sandbox's own. */
  readonly home: readonly ClientFolder[];
  /** Files and folders of the home with its login, which other clients do not get. */
  readonly logins?: readonly string[];
}

export interface ClientFolder {
  readonly path: string;
  /** The variable that can name another folder. It is set inside, so that the client keeps everything in this folder. */
  readonly variable?: string;
  /** The path that the client appends to the variable. Other programs use such a variable too, so it is set only if it was. */
  readonly below?: string;
  /** The person's folder, if the variable names it. Inside, the folder is at its usual path. */
  readonly from?: string | undefined;
  readonly fixed: Fixed;
  /** Files that are shared with the client outside: credentials that are renewed, transcripts. Nothing that is executed. */
  readonly shared: readonly string[];
  /** Files of the home that are copied into the sandbox's own folder at the start. */
  readonly seeds?: Readonly<Record<string, string>>;
}

/** The folders of a sandbox. All paths are absolute and without links. */
export interface SandboxPlace {
  readonly project: string;
  /** The checkout or worktree to work in: the only part of the project that is writable. */
  readonly tree: string;
  /** True if not even the tree is writable. */
  readonly readOnly?: boolean | undefined;
  readonly cwd: string;
  /** The folder of git's own files, which for a worktree is the main checkout's. */
  readonly git: string | undefined;
  /** Git's record of this worktree; undefined in a main checkout. */
  readonly record?: string | undefined;
  readonly home: string;
  /** Sekisho's data folder, which is empty inside. */
  readonly data: string;
  /** The folders of our own program and of Node. They are readable inside, wherever they are. */
  readonly own: readonly string[];
  /** The folder that becomes `/run/sekisho`: the session's socket and the client's configuration. */
  readonly session: string | undefined;
  /** Every client whose files are protected, by its id. */
  readonly clients: Readonly<Record<string, ClientPlaces>>;
  /** The id of the client that is started; none for guards, upstreams and other programs. */
  readonly started: string | undefined;
  /** Texts that replace files of the home inside, by path. Those files are fixed ones; the real ones stay as they are. */
  readonly replaced?: Readonly<Record<string, string>>;
  /** Names of ways out (`allowed.ts`), and paths of sockets and credentials, absolute or with `~/`. */
  readonly allow: readonly string[];
}

/** A place with a folder of this sandbox alone, in the data folder. In a shared one, another sandbox could plant links. */
export interface PreparedPlace extends SandboxPlace {
  readonly keep: string;
}

/** The path of the session's folder inside. It is constant, since Codex gives its servers an empty environment. */
export const sessionFolder = '/run/sekisho';
export const sessionSocket = 'agent.sock';

export function startedClient({ clients, started }: SandboxPlace): ClientPlaces | undefined {
  return started === undefined ? undefined : clients[started];
}

export function fixedPaths({ folders, files }: Fixed): readonly string[] {
  return [...folders, ...Object.keys(files)];
}
