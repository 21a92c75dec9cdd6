/** What a client is served, and how what stands behind Sekisho passes through. */
export const protocol = {
  'common.toolsets.everywhere':
    'toolsets of the configuration or a flag hold for tools, resources, prompts, instructions, HTTP addresses and the command line',
  'common.instructions': 'instructions name what is served and nothing else, and the skill of what is locked',
  'common.resources.pages': 'resources/list has no empty page, and the first one has what there is',
  'common.results.agree': 'What the text of an answer says, its structured content says too, word for word',
  'upstream.activate.init-missing':
    'An init script that cannot be read is named as such, and nothing is blamed on the upstream',
  'upstream.flags': 'Flags, or the variables MCP_…, make a proxy without a file',
  'upstream.pass.roots':
    'Roots of the client reach the upstream, outside of calls too, after a change and after a reconnect; where it has none, the project',
  'upstream.pass.asked':
    'Questions by form and by address, sampling with tools, and their answers pass as they are; one that is withdrawn is withdrawn',
  'upstream.pass.tasks':
    'Tasks are made, followed, listed and cancelled through us, with the questions, progress and status that belong to them',
  'upstream.pass.levels': 'The log level of a client is the upstream’s for this client, after a reconnect too',
  'upstream.pass.unknown':
    '_meta, icons, annotations, unknown fields and unknown notifications pass in both directions',
  'upstream.eras.modern-client': 'A client of the 2026 era uses an upstream of the 2025 era by the table of mappings',
  'upstream.eras.legacy-client': 'A client of the 2025 era uses an upstream of the 2026 era by the table of mappings',
  'faithful.servers':
    'The everything, filesystem and Playwright servers and SDK-built ones say the same directly and through us, in either era',
  'faithful.large': '50 concurrent calls of 1 MiB come back whole',
  'faithful.clients': 'Of ten clients each gets its own progress, questions and cancellation',
} as const;
