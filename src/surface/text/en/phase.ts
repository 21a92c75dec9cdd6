import type { SomeTexts } from '../../texts.ts';

const list = (items: readonly string[]) => items.join(', ') || 'none';

export const phase = {
  problems: {
    PHASE_NOT_FOUND: ({ phase: id, known }) => `There is no phase "${id}". The phases of this project: ${list(known)}.`,
    PROMPT_NOT_FOUND: ({ prompt, source, includedBy, remedy }) =>
      `Prompt not found for phase: ${prompt}${includedBy === undefined ? '' : ` (included by ${includedBy})`}. It was looked for in ${source}. ${
        {
          file: `Write it to ${prompt}.md in that folder.`,
          publish: `Publish it: sekisho phase publish ${prompt} --file ${prompt}.md`,
          configure: 'Write it to .sekisho/prompts, or name a source under phases in .sekisho/config.yaml.',
          server: 'Ask whoever runs that server to publish it.',
        }[remedy]
      }`,
    INVALID_PHASE_TRANSITION: ({ phase: id, current, why }) =>
      ({
        other: `"${id}" is not in progress; "${current}" is. Finish that one first (get_phase_context shows where it stands).`,
        finished: `All phases are finished, so "${id}" cannot be left. A person begins anew with: sekisho phase restart`,
        plan: `"${id}" is not part of the plan that was begun; "${current}" is in progress. A person begins the new plan with: sekisho phase restart`,
      })[why],
    CLOUD_API_ERROR: ({ prompt, url, reason }) =>
      `Failed to fetch prompt from Cloud API: ${reason} (${prompt} at ${url})`,
    LABEL_NOT_FOUND: ({ prompt, label, known }) =>
      `The prompt "${prompt}" has no ${label} to use. It has: ${list(known)}.`,
    VERSION_CONFLICT: ({ prompt, expected, current }) =>
      `The prompt "${prompt}" is at version ${current}, not ${expected}: somebody published meanwhile. Look at the difference, then publish again.`,
  },
  refusals: {},
  phrases: {
    'phase.completed': ({ phase: id, next }) => `Phase ${id} completed successfully. Transitioning to Phase ${next}...`,
    'phase.finished': ({ phase: id }) => `Phase ${id} completed. All phases finished!`,
    'phase.kept': ({ phase: id, status }) =>
      `Phase ${id} result saved as ${status}. Phase ${id} stays in progress; report completed when it is done.`,
    'phase.checkpoint': ({ phase: id, checkpoint }) => `Phase ${id} progress saved at checkpoint: ${checkpoint}`,
    'phase.blocked': ({ phase: id }) =>
      `Provide what missing_guards names, then call transition_to_next_phase for ${id} again. Nothing of this result was kept but its files.`,
    'phase.previous': () => 'Results of the previous phases',
    'phase.command': ({ phase: id }) => `The prompt of ${id}`,
    'phase.argument': () => 'Root of the project, where it is not the server’s own',
    'prompt.stale': ({ source, reason, since }) =>
      `${source} cannot be reached (${reason}); this text was last confirmed at ${since} and may be out of date.`,
    'prompt.insecure': () => 'plain http to another machine is refused; use https, or set phases.allowHttp',
    'prompt.variable': ({ variable, prompt }) =>
      `the prompt ${prompt} needs {{${variable}}}, which has no value${variable.startsWith('context.') ? `; pass it as ${variable}` : ''}`,
    'prompt.cycle': ({ trail }) => `the prompt includes itself: ${trail}`,
    'prompt.deep': ({ limit }) => `includes are nested more than ${limit} deep`,
    'prompt.too_large': ({ bytes, limit }) =>
      `it has ${bytes} bytes, at most ${limit} are kept; write the rest to a file and name it in outputFiles`,
    'prompt.name': ({ name }) => `"${name}" is no name for a prompt: letters, digits, dot, dash and underscore only`,
  },
} satisfies SomeTexts;
