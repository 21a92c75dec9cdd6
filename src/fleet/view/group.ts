import { optional, parsed, text } from '../../kernel/store/row.ts';
import type { Query, Row } from '../../kernel/store/store.ts';
import type { ChangeRecord } from '../../change/index.ts';
import type { Usage } from '../agent-cli.ts';
import { type Status, statuses } from './state.ts';

/** Builds queries for the groups that match a condition, their agents, and their plans, oldest first. */
export function groupsOf({ sql, args }: Query): readonly [groups: Query, members: Query, plans: Query] {
  const ids = `select id from (select id from fleet_group where ${sql}) shown`;
  return [
    { sql: `select * from fleet_group where ${sql}`, args },
    {
      sql: `select group_id, status, usage, tool_calls, started_at, ended_at, change from fleet_agent where group_id in (${ids})`,
      args,
    },
    { sql: `select group_id, current, stages from fleet_plan where group_id in (${ids}) order by id`, args },
  ];
}

export function groupRecords(groups: readonly Row[], members: readonly Row[], plans: readonly Row[]) {
  return groups.map((row) => {
    const id = text(row, 'id');
    const own = members.filter((one) => one['group_id'] === id);
    const plan = plans.findLast((one) => one['group_id'] === id);
    const times = (column: string) => own.flatMap((one) => optional(one, column) ?? []).toSorted();
    const isOver = own.length > 0 && own.every((one) => one['ended_at'] !== null);
    return {
      groupId: id,
      description: text(row, 'description'),
      mode: optional(row, 'mode'),
      status: text(row, 'status'),
      createdAt: text(row, 'created_at'),
      agents: own.length,
      counts: Object.fromEntries(
        statuses.map((status) => [status, own.filter((one) => one['status'] === status).length]),
      ) as Record<Status, number>,
      toolCallCount: own.reduce((sum, one) => sum + Number(one['tool_calls']), 0),
      usage: totalUsage(own.flatMap((one) => (parsed(one, 'usage') as Usage | null) ?? [])),
      startedAt: times('started_at')[0] ?? null,
      endedAt: isOver ? (times('ended_at').at(-1) ?? null) : null,
      currentStageIndex: plan === undefined ? null : Number(plan['current']),
      totalStages: plan === undefined ? null : Number(plan['stages']),
      changes: own.flatMap((one) => (parsed(one, 'change') as ChangeRecord | null) ?? []),
    };
  });
}

const parts = ['inputTokens', 'outputTokens', 'cachedTokens', 'costUsd'] as const;

/** Adds up usage. Null if no agent reported any; a field that none reported is left out instead of 0. */
export function totalUsage(usages: readonly Usage[]): Usage | null {
  if (usages.length === 0) return null;
  return Object.fromEntries(
    parts.flatMap((part) => {
      const said = usages.flatMap((one) => one[part] ?? []);
      return said.length === 0 ? [] : [[part, said.reduce((sum, one) => sum + one, 0)]];
    }),
  );
}
