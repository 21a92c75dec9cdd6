import * as z from 'zod';
import type { Context } from '../../kernel/context.ts';
import { entry } from '../../kernel/store/journal.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { again, retry } from '../../kernel/store/retry.ts';
import { requireAgent } from '../agent-rows.ts';
import { stageReport } from '../host/own-tree.ts';
import { type Finding, type Status, isLive, resultStatuses } from '../view/state.ts';
import { uniqueItems } from '../host/stream-tally.ts';
import { phrase, problem, refusal } from '../problem.ts';
import { problem as kernelProblem } from '../../kernel/problem.ts';
import { identitySettings } from '../../kernel/identity.ts';
import { parsed, text } from '../../kernel/store/row.ts';
import { described, words } from '../words.ts';

export const reportResult = defineOperation({
  name: 'report_result',
  toolsets: ['fleet'],
  effect: 'write',
  summary: words('Report the result of an agent’s work. An agent reports for itself and may leave agentId out.'),
  example:
    '--agent-id impl-code-1767225600-1a2b --status success --summary "Added the parser" --edited-files src/parse.ts',
  input: z.strictObject({
    agentId: described(z.string().optional(), 'The agent; not needed on an agent’s own connection'),
    status: described(z.enum(resultStatuses), 'How the work ended'),
    summary: described(z.string(), 'What was done, in a few sentences'),
    response: described(
      z.string().optional(),
      'The full report: what was done and found, why, and what the next agent must know',
    ),
    editedFiles: described(z.array(z.string()).optional(), 'Files that were changed'),
    createdFiles: described(z.array(z.string()).optional(), 'Files that were created'),
    errorMessage: described(z.string().optional(), 'Why it failed'),
  }),
  output: z.object({ registered: z.literal(true), agentId: z.string() }),
  async run(context, input) {
    const agentId = resolveAgentId(context, input.agentId);
    return retry(
      async () => {
        const row = await requireAgent(context, agentId);
        const status = text(row, 'status') as Status;
        if (status === 'queued') throw problem.AGENT_NOT_STARTED({ agentId });
        const at = context.now().toISOString();
        const earlier = parsed(row, 'report') as Finding | null;
        const report: Finding = {
          status: input.status,
          summary: input.summary,
          editedFiles: uniqueItems([...(earlier?.editedFiles ?? []), ...(input.editedFiles ?? [])]),
          createdFiles: uniqueItems([...(earlier?.createdFiles ?? []), ...(input.createdFiles ?? [])]),
          errorMessage: input.errorMessage ?? null,
          response: input.response ?? earlier?.response ?? null,
          timestamp: at,
        };
        // A running agent keeps its status; its host sets `resultReported` when the process has ended.
        const next = isLive(status) ? status : 'resultReported';
        const staged = isLive(status) ? await stageReport(context, row) : undefined;
        const outcome = await context.store.commit(
          [
            {
              sql: `update fleet_agent set report = :report, status = :next, revision = revision + 1
                where id = :id and revision = :revision and status = :status`,
              args: { id: agentId, revision: Number(row['revision']), report: JSON.stringify(report), next, status },
              rows: 1,
            },
            ...(staged?.writes ?? []),
          ],
          [
            entry(context, agentId, next === 'resultReported' ? 'agent.result_reported' : 'agent.reported', {
              status: input.status,
            }),
            ...(staged?.entries ?? []),
          ],
        );
        if (!outcome.done) return again;
        await staged?.publish();
        return { registered: true as const, agentId };
      },
      () => kernelProblem.STORE_BUSY({ what: agentId }),
    );
  },
});

/** Returns the agent whose result is reported. A connection with an identity reports only for itself. */
function resolveAgentId(context: Context, given: string | undefined): string {
  const { actor } = context;
  const identity = actor.verified ? actor.id : undefined;
  const agentId = given ?? identity;
  if (agentId === undefined) {
    const errors = [{ path: '/agentId', message: context.say(phrase.agentAgentIdMissing()) }];
    throw kernelProblem.VALIDATION_ERROR({ errors }, { validation_errors: errors });
  }
  if (identity !== undefined && identity !== agentId) throw refusal.report({ identity, agentId });
  if (identity === undefined && identitySettings.of(context).identity === 'required' && actor.role === 'agent')
    throw refusal.unidentified({ agentId });
  return agentId;
}
