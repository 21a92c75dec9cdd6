export const phase = {
  'phase.unknown': 'Phases come from the configuration; an unknown one is PHASE_NOT_FOUND, not a schema error',
  'phase.failures': 'Failures have the envelope of the document, whatever their cause',
  'phase.inject':
    'inject_phase_prompt returns the prompt as text and in structuredContent, its metadata at the top level too',
  'phase.inject.project-path': 'With projectPath the text begins with it, an empty line, then the prompt',
  'phase.inject.previous': 'previousPhaseResults reaches the text',
  'phase.transition': 'completed begins the next phase, with the document’s message, nextPhase and transitionedAt',
  'phase.transition.stays': 'partial and failed are saved and stay current',
  'phase.transition.invalid': 'A transition that does not name the phase in progress is INVALID_PHASE_TRANSITION',
  'phase.transition.last': 'After the last phase nextPhase is null and the message says that all are finished',
  'phase.transition.one-winner': 'Of several that complete a phase at once, exactly one does',
  'phase.names': 'A phase with a name of its own is named in messages',
  'phase.context': 'get_phase_context returns status, times, the latest result and all output files without duplicates',
  'phase.context.without-results': 'With includeResults false the result is null',
  'phase.checkpoints': 'save_phase_result keeps every checkpoint, of several writers at once too, without a transition',
  'phase.project': 'State is per project, which need not exist, and the first phase is in progress from the start',
  'phase.project.keys':
    'Under a project key a path is that key’s own folder: it leads neither to another key’s state nor to that of a project at that path',
  'phase.effect': 'A tool that starts the run of the phases does not call itself read-only',
  'phase.log':
    'The log has the lines of the document: INFO for each prompt, DEBUG for a hit of the cache, WARN for an expired one, ERROR for a source that cannot be had',
  'phase.durable': 'State survives the server and is the same for every process',
  'phase.guards': 'completed is accepted only when the required files and guards of the phase hold',
  'phase.guards.approval': 'A phase may need a person’s approval of its evidence',
  'phase.guards.files-and-approval': 'A phase with required files and an approval needs one approval',
  'phase.guards.command': 'A command guard of a phase runs only after a person trusted the plan',
  'phase.permissions': 'A phase’s tool_permissions bind, and the phase tools are not locked out by allowed alone',
  'phase.gate':
    'Phases are a run at the gate: history, state and summary show them; without permissions it binds nothing',
  'phase.publish.crowd': 'A hundred publishes of one prompt at once all succeed',
  'phase.restart': 'A person begins the phases anew; a plan that was begun is kept until then',
  'phase.evidence':
    'The journal has which prompt, version and digest was served to whom at which revision, once for each text',
  'phase.mcp-prompts': 'Each phase is an MCP prompt',
  'phase.shipped': 'Without a source of its own a project has the five shipped phases, in English and Japanese',
  'phase.template': 'Variables and includes are filled from the project, the configuration and the phase’s context',
  'phase.template.missing': 'What a template misses is named: variables, includes, circles',
  'phase.source.folder':
    'A folder’s files are looked at in every call; cached is true where nothing changed, in a new process too',
  'phase.source.missing': 'A prompt that no source has is PROMPT_NOT_FOUND with where it was looked for',
  'phase.source.store': 'The store has immutable versions and labels; publish, roll back, withdraw and diff work',
  'phase.source.store.empty': 'An empty prompt is refused, wherever it would come from',
  'phase.source.store.back':
    'Roll back walks back through what was served, one step each time, never to the same text; then it says that nothing is left',
  'phase.source.store.served': 'served is true only where clients now get the version that was published',
  'phase.source.store.diff':
    'The difference of two long texts without a common line is made at once, in bounded memory',
  'phase.source.store.race': 'Versions published at once are all kept, and an outdated editor is told',
  'phase.source.api': 'A prompt API is asked with the key, cached for CACHE_TTL in the store, revalidated by ETag',
  'phase.source.api.once': 'However many processes ask for one prompt at once, the source gets one request',
  'phase.source.api.stale':
    'While the source is slow the stale text is served at once; the fresh one comes with a later call',
  'phase.source.api.down':
    'Where the source is down the stale text comes with a warning; CLOUD_API_ERROR only without one',
  'phase.source.api.gone': 'A source that says gone evicts: PROMPT_NOT_FOUND',
  'phase.source.api.claim': 'A process that died while asking is replaced',
  'phase.source.api.http': 'Plain http is refused beyond loopback, unless allowed',
  'phase.daemon':
    'The daemon serves the prompt API; another Sekisho uses it as its source, also while it is killed and restarted',
  'phase.daemon.access': 'The prompt API is read with any token or key and written with a person’s only',
  'phase.cli': 'sekisho phase manages prompts from the command line, as a person',
  'phase.cli.editor': 'sekisho phase edit publishes what was written in $EDITOR',
} as const;
