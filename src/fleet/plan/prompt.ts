import type { Say } from '../../kernel/text/text.ts';
import type { AgentState } from '../view/state.ts';
import { phrase } from '../problem.ts';

const longestSummary = 6000;

/** Formats the results of earlier stages as text that follows a prompt. */
export function earlierResults(
  say: Say,
  earlier: readonly { readonly stage: number; readonly agent: AgentState }[],
): string {
  const parts = earlier.map(({ stage, agent }) => {
    const { result } = agent;
    const lines = [
      `### ${say(phrase.promptStage({ stage: stage + 1 }))}: ${agent.role} (${agent.agentId}): ${result?.status ?? agent.status}`,
      cut(result?.summary ?? ''),
      cut(result?.response ?? ''),
      ...named(say(phrase.promptCreated()), result?.createdFiles),
      ...named(say(phrase.promptEdited()), result?.editedFiles),
      ...(result?.errorMessage == null ? [] : [`${say(phrase.promptError())}: ${cut(result.errorMessage)}`]),
    ];
    return lines.filter((line) => line !== '').join('\n');
  });
  return `\n\n## ${say(phrase.promptEarlier())}\n\n${parts.join('\n\n')}\n`;
}

function named(title: string, files: readonly string[] | undefined): readonly string[] {
  return files === undefined || files.length === 0 ? [] : [`${title}: ${files.join(', ')}`];
}

function cut(text: string): string {
  return text.length <= longestSummary ? text : `${text.slice(0, longestSummary)} …`;
}
