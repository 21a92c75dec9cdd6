import { defineTable, type Table } from '../kernel/store/table.ts';

const definition = defineTable({
  name: 'definition',
  columns: {
    digest: 'text not null',
    process_id: 'text not null',
    version: 'text not null',
    name: 'text not null',
    source: 'text not null',
    body: 'text not null',
    at: 'text not null',
  },
  key: ['digest'],
});

const run = defineTable({
  name: 'run',
  ids: 'run-',
  columns: {
    id: 'text not null',
    project: 'text not null',
    process_id: 'text not null',
    process_version: 'text not null',
    definition: 'text not null references definition (digest)',
    state: 'text not null',
    revision: 'bigint not null',
    context: 'text not null',
    visited: 'text not null',
    entered: 'bigint not null',
    is_final: 'bigint not null',
    // JSON: who aborted it, when and why; null for every other run.
    aborted: 'text',
    tree: 'text',
    // The machine's copy of the project that has the run's files; see `run/checkout.ts`.
    checkout: 'text not null',
    created_at: 'text not null',
    updated_at: 'text not null',
  },
  key: ['id'],
  added: ['aborted'],
  indexes: { by_project: 'project, id' },
});

const event = defineTable({
  name: 'event',
  columns: {
    run_id: 'text not null references run (id)',
    revision: 'bigint not null',
    id: 'text not null',
    name: 'text not null',
    actor: 'text not null',
    role: 'text not null',
    payload: 'text not null',
    artifacts: 'text not null',
    // Files that an approval or rejection covers, by digest; null for other events.
    evidence: 'text',
    from_state: 'text not null',
    to_state: 'text not null',
    idempotency_key: 'text not null',
    request: 'text not null',
    answer: 'text not null',
    at: 'text not null',
  },
  key: ['run_id', 'revision'],
  // A partial index: only approvals and rejections are looked up by name, so other events do not pay for it.
  indexes: { by_name: 'run_id, name, revision where evidence is not null' },
  unique: { by_key: 'run_id, idempotency_key' },
});

const artifactColumns = {
  run_id: 'text not null references run (id)',
  path: 'text not null',
  version: 'bigint not null',
  type: 'text',
  digest: 'text not null',
  size: 'bigint not null',
  actor: 'text not null',
  revision: 'bigint not null',
  at: 'text not null',
};
const artifact = defineTable({ name: 'artifact', columns: artifactColumns, key: ['run_id', 'path'] });
const artifactVersion = defineTable({
  name: 'artifact_version',
  columns: artifactColumns,
  key: ['run_id', 'path', 'version'],
});

const currentRun = defineTable({
  name: 'current_run',
  columns: { project: 'text not null', run_id: 'text not null references run (id)' },
  key: ['project'],
});

// The single run of a holder: a worktree, or the current task of a connection, a client process or an agent instance.
const runHolder = defineTable({
  name: 'run_holder',
  columns: { holder: 'text not null', run_id: 'text not null references run (id)' },
  key: ['holder'],
});

// Runs that a client or agent started, or that bound its parent process. A binding ends with the process.
const callerRun = defineTable({
  name: 'caller_run',
  columns: { caller: 'text not null', run_id: 'text not null references run (id)', at: 'text not null' },
  key: ['caller', 'run_id'],
});

// Recorded work trees; runs that began with equal trees share a row.
const treeManifest = defineTable({
  name: 'tree_manifest',
  columns: { digest: 'text not null', body: 'text not null', at: 'text not null' },
  key: ['digest'],
});

// The tree when the run entered its state, or the reason why it could not be read.
const treeBaseline = defineTable({
  name: 'tree_baseline',
  columns: {
    run_id: 'text not null references run (id)',
    state: 'text not null',
    entered: 'bigint not null',
    manifest: 'text references tree_manifest (digest)',
    fault: 'text',
    at: 'text not null',
  },
  key: ['run_id'],
  indexes: { by_manifest: 'manifest' },
});

// The tree and git commit when the run began. A person approves the difference to it.
const treeStart = defineTable({
  name: 'tree_start',
  columns: {
    run_id: 'text not null references run (id)',
    manifest: 'text references tree_manifest (digest)',
    head: 'text',
    fault: 'text',
  },
  key: ['run_id'],
  indexes: { start_by_manifest: 'manifest' },
});

// Content of submitted files and output of commands, so that approved evidence can be shown later. Base64.
const keptBytes = defineTable({
  name: 'kept_bytes',
  columns: { digest: 'text not null', size: 'bigint not null', body: 'text not null', at: 'text not null' },
  key: ['digest'],
});

export const tables: readonly Table[] = [
  definition,
  run,
  event,
  artifact,
  artifactVersion,
  currentRun,
  runHolder,
  callerRun,
  treeManifest,
  treeBaseline,
  treeStart,
  keptBytes,
];
