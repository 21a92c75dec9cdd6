import { defineTable, type Table } from '../kernel/store/table.ts';

// What a task or an agent made, and the tree in which it was made. The row alone says whose tree a folder is, on which
// commit work starts, and which commit was recorded last; branches are labels for people.
const change = defineTable({
  name: 'change',
  ids: 'chg-',
  columns: {
    id: 'text not null',
    project: 'text not null',
    // `task:<id>` or `agent:<id>`.
    owner: 'text not null',
    // Counts the changes of one owner: a task that is reopened after its change has landed begins another one.
    round: 'bigint not null',
    title: 'text not null',
    state: 'text not null',
    branch: 'text not null',
    // The branch on which it lands.
    target: 'text not null',
    // The change of the agent that started this one.
    parent: 'text',
    base: 'text not null',
    head: 'text',
    // The agent whose report recorded `head`. What that agent does afterwards does not belong to the change.
    reported_by: 'text',
    machine: 'text not null',
    repository: 'text not null',
    path: 'text not null',
    // JSON: files that a filter of the user changed when they were checked out, with the digest of what it wrote.
    filtered: 'text',
    // The digest of what `worktree.setup` was last run for.
    setup: 'text',
    files: 'bigint not null',
    additions: 'bigint not null',
    deletions: 'bigint not null',
    created_at: 'text not null',
    updated_at: 'text not null',
    revision: 'bigint not null',
  },
  key: ['id'],
  indexes: { by_project: 'project, id' },
  unique: { by_owner: 'owner, round', by_path: 'machine, path', by_branch: 'machine, repository, branch' },
});

export const tables: readonly Table[] = [change];
