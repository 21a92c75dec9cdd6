import { type Problem, defineProblems, problem as kernelProblem } from '../kernel/problem.ts';
import { definePhrases } from '../kernel/text/text.ts';
import { listEnglish } from '../kernel/text/list.ts';
import * as ja from './ja.ts';

/** The way to provide a missing prompt; it depends on the source. */
export type PromptRemedy = 'file' | 'publish' | 'configure' | 'server';

export const englishProblem = {
  PHASE_NOT_FOUND: ({ phase: id, known }: { phase: string; known: readonly string[] }) =>
    `There is no phase "${id}". The phases of this project: ${listEnglish(known)}.`,
  /** This text is part of the specification. `details` name the source and how to provide the prompt. */
  PROMPT_NOT_FOUND: ({ phase: id }: { phase: string }) => `Prompt not found for phase: ${id}`,
  INVALID_PHASE_TRANSITION: ({
    phase: id,
    current,
    why,
  }: {
    phase: string;
    current: string | undefined;
    why: 'other' | 'finished' | 'aborted' | 'plan';
  }) =>
    ({
      other: `"${id}" is not in progress; "${current}" is. Finish that one first (get_phase_context shows its progress).`,
      finished: `All phases are finished, so "${id}" cannot be left. A person can restart them with: sekisho phase restart`,
      aborted: `The run of the phases was aborted, so "${id}" cannot be left. A person can restart them with: sekisho phase restart`,
      plan: `"${id}" is not part of the plan in progress; "${current}" is the current phase. A person can start the new plan with: sekisho phase restart`,
    })[why],
  CLOUD_API_ERROR: ({ reason }: { reason: string }) => `Failed to fetch prompt from Cloud API: ${reason}`,
  LABEL_NOT_FOUND: ({ prompt, label, known }: { prompt: string; label: string; known: readonly string[] }) =>
    `The prompt "${prompt}" has no ${label} to use. It has: ${listEnglish(known)}.`,
  NO_EARLIER_VERSION: ({ prompt, label, version }: { prompt: string; label: string; version: number }) =>
    `Nothing else was served as ${label} of the prompt "${prompt}" before version ${version}. Name a version: sekisho phase rollback ${prompt} --to N`,
  VERSION_CONFLICT: ({ prompt, expected, current }: { prompt: string; expected: number; current: number }) =>
    `The prompt "${prompt}" is at version ${current}, not ${expected}: another version was published. Check the difference, then publish again.`,
};

export const problem = defineProblems(englishProblem, ja.problem);

export const englishPhrase = {
  /** The action in the refusal that only a person may change prompts. */
  changePrompts: () => 'change prompts',
  providePrompt: ({ prompt, remedy }: { prompt: string; remedy: PromptRemedy }) =>
    ({
      file: `Write it to ${prompt}.md in that folder.`,
      publish: `Publish it: sekisho phase publish ${prompt} --file ${prompt}.md`,
      configure: 'Write it to .sekisho/prompts, or name a source under phases in .sekisho/config.yaml.',
      server: 'Ask the people who run that server to publish it.',
    })[remedy],
  completed: ({ phase: id, next }: { phase: string; next: string }) =>
    `Phase ${id} completed successfully. Transitioning to Phase ${next}...`,
  finished: ({ phase: id }: { phase: string }) => `Phase ${id} completed. All phases finished!`,
  kept: ({ phase: id, status }: { phase: string; status: 'partial' | 'failed' }) =>
    `Phase ${id} result saved as ${status}. Phase ${id} stays in progress; report completed when it is done.`,
  checkpoint: ({ phase: id, checkpoint }: { phase: string; checkpoint: string }) =>
    `Phase ${id} progress saved at checkpoint: ${checkpoint}`,
  blocked: ({ phase: id }: { phase: string }) =>
    `Provide what missing_guards names, then call transition_to_next_phase for ${id} again. Only the files of this result were kept.`,
  previous: () => 'Results of the previous phases',
  restart: ({ completed, current }: { completed: readonly string[]; current: string }) =>
    `${completed.length > 0 ? `${completed.join(', ')} completed, ` : ''}${current} in progress`,
  command: ({ phase: id }: { phase: string }) => `The prompt of ${id}`,
  argument: () => 'Root of the project, if it is not the server’s',
  promptStale: ({ source, reason, since }: { source: string; reason: string; since: string }) =>
    `${source} cannot be reached (${reason}); this text was last confirmed at ${since} and may be out of date.`,
  noUrl: ({ given }: { given: string }) => `${given} is not a URL`,
  answerTooLarge: ({ most }: { most: number }) => `the answer is larger than ${most} bytes`,
  noAnswerWithin: ({ ms }: { ms: number }) => `no answer within ${ms} ms`,
  noAnswer: () => 'no answer in time',
  promptInsecure: () => 'plain http to another machine is refused; use https, or set phases.allowHttp',
  promptVariable: ({ variable, prompt }: { variable: string; prompt: string }) =>
    `the prompt ${prompt} needs {{${variable}}}, which has no value${variable.startsWith('context.') ? `; pass it as ${variable}` : ''}`,
  promptCycle: ({ trail }: { trail: string }) => `the prompt includes itself: ${trail}`,
  promptDeep: ({ limit }: { limit: number }) => `includes are nested more than ${limit} deep`,
  promptTooLarge: ({ bytes, limit }: { bytes: number; limit: number }) =>
    `it has ${bytes} bytes, at most ${limit} are allowed; write the rest to a file and name it in outputFiles`,
  promptEmpty: () => 'it is empty; write what the agent must do',
  promptName: ({ name }: { name: string }) =>
    `"${name}" is not a valid prompt name: use only letters, digits, dot, dash and underscore`,
};

export const phrase = definePhrases(englishPhrase, ja.phrase);

export function invalidInput(path: string, message: string): Problem {
  const errors = [{ path, message }];
  return kernelProblem.VALIDATION_ERROR({ errors }, { validation_errors: errors });
}
