import type { Row } from '../../kernel/store/store.ts';
import { optional, parsed, text } from '../../kernel/store/row.ts';
import type { ChangeRecord } from '../../change/index.ts';
import type { Usage } from '../agent-cli.ts';
import { uniqueItems } from '../host/stream-tally.ts';

/** Ways in which an agent's process can end. */
export const outcomes = ['completed', 'failed', 'timedOut', 'cancelled'] as const;
export type Outcome = (typeof outcomes)[number];
export const statuses = ['queued', 'running', ...outcomes, 'resultReported'] as const;
export type Status = (typeof statuses)[number];
export const resultStatuses = ['success', 'failure', 'timeout', 'cancelled'] as const;
export type ResultStatus = (typeof resultStatuses)[number];

export function isLive(status: Status): boolean {
  return status === 'queued' || status === 'running';
}

/** A statement about an agent's work, by the agent or from its stream. */
export interface Finding {
  readonly status: ResultStatus;
  readonly summary: string;
  readonly editedFiles: readonly string[];
  readonly createdFiles: readonly string[];
  readonly errorMessage: string | null;
  /** The full report, if the summary is only a sentence or two. */
  readonly response?: string | null;
  readonly timestamp: string;
}

export interface Result extends Finding {
  readonly response: string | null;
  readonly duration_ms: number;
  readonly source: 'auto' | 'report';
  /** Something was cut; get_agent_status returns the full result. */
  readonly truncated?: true;
}

/** The public state of an agent. */
export type AgentState = Readonly<ReturnType<typeof agentState>>;

export const resultOfOutcome: Readonly<Record<Outcome, ResultStatus>> = {
  completed: 'success',
  failed: 'failure',
  timedOut: 'timeout',
  cancelled: 'cancelled',
};

export function agentState(row: Row, now: Date) {
  const startedAt = optional(row, 'started_at');
  const endedAt = optional(row, 'ended_at');
  const end = endedAt === null ? now.getTime() : Date.parse(endedAt);
  const change = parsed(row, 'change') as ChangeRecord | null;
  const elapsed = startedAt === null ? 0 : Math.max(0, end - Date.parse(startedAt));
  return {
    agentId: text(row, 'id'),
    groupId: optional(row, 'group_id'),
    role: text(row, 'role'),
    model: text(row, 'model'),
    status: text(row, 'status') as Status,
    startedAt,
    endedAt,
    elapsed_ms: elapsed,
    toolCallCount: Number(row['tool_calls']),
    stageIndex: row['plan_id'] === null ? null : Number(row['stage']),
    workingDirectory: text(row, 'working_directory'),
    lastActivity: optional(row, 'activity'),
    usage: parsed(row, 'usage') as Usage | null,
    exitCode: row['exit_code'] === null ? null : Number(row['exit_code']),
    result: mergedResult(parsed(row, 'automatic') as Finding | null, parsed(row, 'report') as Finding | null, elapsed),
    ...(change !== null && { change }),
  };
}

/** Merges a report with facts from the stream, which adds the files and the reason that the report left out. */
export function mergedResult(automatic: Finding | null, report: Finding | null, elapsed: number): Result | null {
  if (report === null)
    return automatic === null ? null : { ...automatic, response: null, duration_ms: elapsed, source: 'auto' };
  const createdFiles = uniqueItems([...report.createdFiles, ...(automatic?.createdFiles ?? [])]);
  return {
    status: report.status,
    summary: report.summary,
    editedFiles: uniqueItems([...report.editedFiles, ...(automatic?.editedFiles ?? [])]).filter(
      (one) => !createdFiles.includes(one),
    ),
    createdFiles,
    errorMessage: report.errorMessage ?? automatic?.errorMessage ?? null,
    response: report.response ?? null,
    timestamp: report.timestamp,
    duration_ms: elapsed,
    source: 'report',
  };
}

const longestText = 2048;
const mostFiles = 100;

/** Shortens a result for a list: the beginning of long texts, both ends of a long error, the first of many files. */
export function shortenAgent(agent: AgentState): AgentState {
  const { result } = agent;
  if (result === null) return agent;
  const short: Result = {
    ...result,
    summary: cutToBytes(result.summary),
    response: result.response === null ? null : cutToBytes(result.response),
    errorMessage: result.errorMessage === null ? null : keepBothEnds(result.errorMessage),
    editedFiles: result.editedFiles.slice(0, mostFiles),
    createdFiles: result.createdFiles.slice(0, mostFiles),
  };
  const whole = JSON.stringify(short) === JSON.stringify(result);
  return { ...agent, result: whole ? result : { ...short, truncated: true } };
}

/** Cuts a text at a number of bytes, the unit of the message limit, without splitting a character. */
function cutToBytes(whole: string, most = longestText): string {
  if (Buffer.byteLength(whole) <= most) return whole;
  return new TextDecoder().decode(Buffer.from(whole).subarray(0, most - 3), { stream: true }) + '…';
}

/** Keeps both ends of an error: its reason is mostly at the end. */
function keepBothEnds(whole: string): string {
  const bytes = Buffer.from(whole);
  if (bytes.length <= longestText) return whole;
  let from = bytes.length - longestText / 2;
  while ((bytes.readUInt8(from) & 0xc0) === 0x80) from += 1; // Skip the rest of a split character.
  return cutToBytes(whole, longestText / 2) + bytes.toString('utf8', from);
}
