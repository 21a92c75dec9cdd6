import type { Project } from '../../kernel/context.ts';
import { ofEach } from '../../kernel/of-each.ts';
import type { Definition } from '../definition/definition.ts';
import { looksOutside } from '../guards.ts';
import type { EmitRequest } from './decide.ts';
import type { Position } from './machine.ts';
import type { Snapshot } from './runs.ts';

/** A run as it was, and what this process made of it. */
interface Left {
  readonly before: Snapshot;
  readonly next: Position;
  /** As it was written. */
  readonly context: string;
  readonly at: string;
}

const runsOf = ofEach((_project: Project) => new Map<string, Left>());
const kept = 200;
const longest = 16_384;

/**
 * What this process has committed of a run last: who emits one event after the other need not read what it wrote. Somebody else
 * may have gone on, so whatever follows from it holds only if it can be committed, and a refusal is none.
 */
export function lastOf(project: Project, request: EmitRequest): Snapshot | undefined {
  // What is looked at beside the run takes long, or lets programs run: that is for what is known to be so.
  if (request.paths.length > 0 || request.evidence !== undefined) return undefined;
  const left = runsOf(project).get(request.runId);
  if (left?.next.revision !== request.expectedRevision) return undefined;
  const { before, next, context, at } = left;
  return {
    ...before,
    run: { ...before.run, ...next, context: JSON.parse(context) as Record<string, unknown>, updatedAt: at },
    approvals: next.entered === before.run.entered ? before.approvals : [],
  };
}

export function leave(project: Project, left: Left, bringsEvidence: boolean): void {
  const { run, project: own } = left.before;
  const runs = runsOf(project);
  runs.delete(run.id);
  // Evidence has more to it than what an event leaves in the run.
  if (bringsEvidence || left.next.isFinal || own !== project.key || looksOut(run.definition)) return;
  if (left.context.length > longest) return;
  if (runs.size >= kept) runs.clear();
  runs.set(run.id, left);
}

const looksOut = ofEach(({ transitions, guards }: Definition) =>
  looksOutside(
    transitions.flatMap((one) => one.guards),
    guards,
  ),
);
