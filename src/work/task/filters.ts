import { lowerAscii } from '../../kernel/store/sql-like.ts';
import type { Query } from '../../kernel/store/store.ts';
import { type Priority, type Status, isReady, priorities } from './task.ts';

/** Filters for tasks; an omitted field matches every task. */
export interface Wanted {
  readonly project_id?: string | undefined;
  readonly status?: Status | undefined;
  readonly assignee_id?: string | undefined;
  readonly parent_id?: string | undefined;
  readonly text?: string | undefined;
  readonly label?: string | undefined;
  readonly priority?: Priority | undefined;
  readonly ready?: boolean | undefined;
}

/** The filters as an SQL condition on a task `t`. */
export function filtersOf(wanted: Wanted): Query {
  const given = conditions(wanted).filter((one) => one !== undefined);
  return {
    sql: given.length === 0 ? '1 = 1' : given.map(({ sql }) => sql).join(' and '),
    args: Object.assign({}, ...given.map(({ args }) => args)) as Query['args'],
  };
}

function conditions(wanted: Wanted): readonly (Query | undefined)[] {
  const equal = (column: 'project_id' | 'status' | 'assignee_id' | 'parent_id'): Query | undefined => {
    const value = wanted[column];
    return value === undefined ? undefined : { sql: `t.${column} = :${column}`, args: { [column]: value } };
  };
  const { text: words, label, priority, ready } = wanted;
  return [
    equal('project_id'),
    equal('status'),
    equal('assignee_id'),
    equal('parent_id'),
    // Removing the text must change the field: the only substring search without wildcards that both databases have.
    words === undefined
      ? undefined
      : {
          sql: `(replace(lower(t.title), :text, '') <> lower(t.title)
            or replace(lower(t.description), :text, '') <> lower(t.description))`,
          args: { text: lowerAscii(words) },
        },
    label === undefined ? undefined : hasLabel(label),
    priority === undefined
      ? undefined
      : { sql: 't.priority = :priority', args: { priority: priorities.indexOf(priority) } },
    ready === undefined ? undefined : { sql: `${ready ? '' : 'not '}(${isReady})`, args: {} },
  ];
}

/** SQL condition on the labels: a JSON list, in which a quote after "[" or "," begins a label. */
function hasLabel(label: string): Query {
  const written = JSON.stringify(label);
  return {
    sql: `(replace(t.labels, :first, '') <> t.labels or replace(t.labels, :next, '') <> t.labels)`,
    args: { first: `[${written}`, next: `,${written}` },
  };
}
