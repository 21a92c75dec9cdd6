import { defineTable, type Table } from '../kernel/store/table.ts';

/** The run of each project's phases. The run has the state. */
const plan = defineTable({
  name: 'phase_plan',
  columns: { project: 'text not null', run_id: 'text not null' },
  key: ['project'],
});

const checkpoint = defineTable({
  name: 'phase_checkpoint',
  columns: {
    run_id: 'text not null',
    n: 'bigint not null',
    phase: 'text not null',
    revision: 'bigint not null',
    result: 'text not null',
    actor: 'text not null',
    at: 'text not null',
  },
  key: ['run_id', 'n'],
  indexes: { by_phase: 'run_id, phase, n' },
});

/** The last text that each actor got, so that the journal records each text once. */
const served = defineTable({
  name: 'phase_served',
  columns: {
    run_id: 'text not null',
    actor: 'text not null',
    prompt: 'text not null',
    revision: 'bigint not null',
    digest: 'text not null',
  },
  key: ['run_id', 'actor', 'prompt'],
});

/** Cache of prompts from sources. `owner` and `until` are the claim of the process that is asking the source. */
const promptCache = defineTable({
  name: 'prompt_cache',
  columns: {
    source: 'text not null',
    name: 'text not null',
    version: 'text',
    title: 'text',
    content: 'text',
    digest: 'text',
    etag: 'text',
    fetched_at: 'text',
    checked_at: 'text',
    failure: 'text',
    failed_at: 'text',
    owner: 'text',
    until: 'text',
  },
  key: ['source', 'name'],
  volatile: 'all',
});

const promptVersion = defineTable({
  name: 'prompt_version',
  columns: {
    project: 'text not null',
    name: 'text not null',
    version: 'bigint not null',
    title: 'text',
    content: 'text not null',
    digest: 'text not null',
    note: 'text',
    actor: 'text not null',
    at: 'text not null',
  },
  key: ['project', 'name', 'version'],
});

const promptLabel = defineTable({
  name: 'prompt_label',
  columns: {
    project: 'text not null',
    name: 'text not null',
    label: 'text not null',
    version: 'bigint not null',
    /** The versions that the label has pointed at, comma-separated, the current one last. */
    trail: 'text not null',
    at: 'text not null',
  },
  key: ['project', 'name', 'label'],
});

export const tables: readonly Table[] = [plan, checkpoint, served, promptCache, promptVersion, promptLabel];
