import { cutPage, decodeCursor, defaultPageSize } from '../../kernel/store/page.ts';
import type { Resource } from '../../kernel/operation.ts';
import { text, readRows } from '../../kernel/store/row.ts';
import { reachableStates } from '../lint/lint-shape.ts';
import { readRun } from '../run/runs.ts';
import { runStatusOf } from '../run/status.ts';
import { watchPaths } from '../evidence/watch-paths.ts';
import { problem } from '../problem.ts';
import { words } from '../words.ts';

const uriOf = (runId: string) => `stategate://runs/${runId}/summary`;

export const runSummary: Resource = {
  uriTemplate: 'stategate://runs/{run_id}/summary',
  name: 'run-summary',
  toolsets: ['gate'],
  summary: words('A run at a glance: its process, state, revision, its past states and the states ahead.'),
  mimeType: 'application/json',
  async list(context, cursor) {
    const rows = await readRows(
      context.store,
      'select id, process_id, state, is_final, aborted from run where project = :project and id < :before order by id desc limit :limit',
      { project: context.project.key, before: decodeCursor(cursor) ?? '~', limit: defaultPageSize + 1 },
    );
    const page = cutPage(rows, defaultPageSize, (row) => text(row, 'id'));
    const entries = page.rows.map((row) => ({
      uri: uriOf(text(row, 'id')),
      name: text(row, 'id'),
      description: `${text(row, 'process_id')}: ${text(row, 'state')}${runStatusOf(row) === 'aborted' ? ' (aborted)' : ''}`,
    }));
    return { entries, ...(page.next !== undefined && { nextCursor: page.next }) };
  },
  async read(context, variables) {
    const snapshot = await readRun(context, variables['run_id'] ?? '').catch((error: unknown) => {
      if (problem.RUN_NOT_FOUND.is(error)) return undefined;
      throw error;
    });
    if (snapshot === undefined) return undefined;
    const { run } = snapshot;
    const behind = new Set(run.visited);
    const reachable = run.aborted === null ? [...reachableStates(run.definition, run.state)] : [];
    const ahead = reachable.filter((name) => name !== run.state && !behind.has(name));
    const inFileOrder = run.definition.states.map((state) => state.name).filter((name) => ahead.includes(name));
    return {
      run_id: run.id,
      process: { id: run.processId, version: run.processVersion, name: run.definition.name },
      current_state: run.state,
      status: run.status,
      revision: run.revision,
      progress: { completed_states: run.visited, current_state: run.state, remaining_states: inFileOrder },
      created_at: run.createdAt,
      updated_at: run.updatedAt,
    };
  },
  outside: () => {
    const look = watchPaths();
    return async (context) => {
      const runs = await look(context);
      return runs.length === 0 ? undefined : { uris: runs.map(uriOf), list: true };
    };
  },
  changed(entry) {
    // Trust can satisfy guards, and another current run has other permissions: clients must read their lists again.
    if (entry.kind === 'file.trusted' || entry.kind === 'run.current') return { uris: [], list: true };
    if (!['run.created', 'run.event', 'run.aborted'].includes(entry.kind)) return undefined;
    return { uris: [uriOf(entry.subject)], list: true };
  },
};
