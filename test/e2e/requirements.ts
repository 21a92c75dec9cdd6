import { backup } from './requirements/backup.ts';
import { dashboard } from './requirements/dashboard.ts';
import { fleet } from './requirements/fleet.ts';
import { notify } from './requirements/notify.ts';
import { phase } from './requirements/phase.ts';
import { protocol } from './requirements/protocol.ts';
import { upstream } from './requirements/upstream.ts';
import { work } from './requirements/work.ts';

/**
 * Every clause of the contract that can be tried from outside. Each id is cited by at least one test, by `requires(id)`;
 * `requirements.test.ts` checks that none is left out.
 */
export const requirements = {
  ...upstream,
  ...protocol,
  ...fleet,
  ...work,
  ...phase,
  ...dashboard,
  ...notify,
  ...backup,
  'common.names.dotted': 'Tools are listed under their dotted names and answer to the same with underscores',
  'common.names.auto': 'A client known to reject dots is shown underscore names, others dotted ones',
  'common.results.structured': 'structuredContent is the whole answer and content[0].text is the same as JSON',
  'common.failures.envelope': 'A failure is isError with the envelope as JSON text and no structuredContent',
  'common.failures.schema': 'An input that a schema refuses gets the toolset’s envelope and code',
  'common.failures.text':
    'NUL and lone surrogates are refused in every field of every tool, with the toolset’s envelope, on both databases',
  'common.failures.depth': 'JSON and YAML nested deeper than 200 levels is refused on every way in',
  'common.failures.not-an-object': 'Arguments that are no object are a protocol error',
  'common.lang': 'Texts are in English or Japanese; quoted sentences stay as quoted',
  'common.journal': 'Every change appends one journal row in the same transaction, and a refused call none',
  'common.actor.claim': 'An agent’s connection or shell cannot become a person',
  'common.project': 'The project is the folder with .sekisho upwards from the working directory, or --project',
  'common.project.same': 'Every entry finds the same project, in worktrees, subfolders, links, swept and plain folders',
  'common.project.moved': 'doctor says what to do about a moved folder, and that takes its store along',
  'common.project.first':
    'A daemon that finds no root registers nothing; init registers the folder, and then it is served',
  'common.project.named':
    'An address that names no project means the only one; where there are several, each call says how to name one',
  'common.project.roots': 'A project has the folder that it names, unless another store has it',
  'common.project.file': 'A file says where the rows are only in a folder that is registered',
  'common.project.tree': 'A run looks for its evidence in the worktree of whoever started it',
  'common.project.worktree-run': 'The main checkout’s run binds its worktrees, until a person gives one its own',
  'common.store.full': 'A full disk is STORE_FULL on every surface, and nothing that was confirmed is lost',
  'common.store.read-only': 'A store that takes no writes is STORE_READ_ONLY on every surface',
  'common.store.removed':
    'A database file that was removed or replaced under a running process is STORE_REMOVED before anything more is read or confirmed',
  'common.store.away': 'A database that is away is STORE_UNAVAILABLE on every surface',
  'common.memory': 'The memory of a daemon does not grow with the requests that it has answered',
  'common.variables': 'A wrong value of an environment variable is said, with the name of the variable',
  'common.stdout': 'A stdio server writes nothing but protocol to stdout, and JSON lines to stderr',
  'common.eras': 'Both protocol eras are served on stdio and on one HTTP endpoint',
  'common.protocol.batch': 'A batch of 1 to 100 messages is answered, any other refused',
  'common.protocol.status': 'What is wrong with an HTTP request is said by its status and a JSON-RPC error',
  'common.protocol.cancel': 'A request that its client cancels ends without an answer, upstream too',
  'common.protocol.ids': 'An id of a request that still runs cannot be used for another',
  'common.protocol.odd': 'An odd message or answer harms nothing but what it belongs to',
  'common.protocol.questions': 'A client is asked over its own connection and answers there',
  'common.protocol.size':
    'A message of up to 64 MiB is taken in either direction; a larger one is answered with its id and the limit, and the session goes on',
  'common.protocol.stream': 'An answer over HTTP is JSON where it comes at once and alone, else a stream',
  'common.protocol.resume': 'A client that lost its connection comes back for the rest with the id that it saw last',
  'common.protocol.no-resource': 'An unknown resource is -32002 in the 2025 era and -32602 in the 2026 era',
  'common.ends': 'A stdio server ends when its client does',
  'common.ends.answers': 'A stdio server answers what it was asked before its stdin ended, then ends',
  'common.http.token': 'Everything over HTTP but /health needs a token',
  'common.http.host': 'A foreign Host or Origin is refused',
  'common.http.port': 'A taken port is said clearly',
  'common.toolsets': 'Toolsets filter tools, by flag and by path',
  'common.paging': 'Lists are paged by limit and cursor',
  'common.paging.cursor':
    'A cursor that no list made is VALIDATION_ERROR (INVALID_PAYLOAD in the gate), -32602 for the lists of MCP itself',
  'common.configuration': 'The digest of the configuration is journalled at every start',
  'gate.create_run': 'create_run starts a run in the initial state with the context given',
  'gate.create_run.current': 'A new run becomes current only where none is open',
  'gate.create_run.unknown': 'An unknown process is PROCESS_NOT_FOUND, a broken one PROCESS_INVALID with its problems',
  'gate.get_state': 'get_state returns the document’s fields and prompt, permissions and finality',
  'gate.get_state.wait': 'get_state with wait_ms answers as soon as the run changes, whichever process changed it',
  'gate.get_state.wait-progress': 'get_state sends progress while it waits, and ends when the client cancels',
  'gate.get_state.wait-known': 'get_state does not wait where the run is past since_revision, or final',
  'gate.get_state.wait-limits': 'get_state waits no longer than wait_ms, which is 50,000 at most',
  'gate.run_not_found': 'An unknown run is RUN_NOT_FOUND, whatever its spelling',
  'gate.which-run': 'A run that is not named is --run-id, else SEKISHO_RUN_ID, else the current one',
  'gate.emit.transition': 'Evidence that satisfies a guard moves the run on and returns the new prompt',
  'gate.emit.evidence-kept': 'New evidence that does not suffice is kept, without the payload',
  'gate.emit.guard-failed':
    'Nothing new and no transition is GUARD_FAILED with every missing guard, and nothing is written',
  'gate.emit.order-of-transitions':
    'Guarded transitions come first in file order, the first satisfied wins, else the first unguarded',
  'gate.emit.conflict': 'A wrong revision is REVISION_CONFLICT with the current one',
  'gate.emit.one-winner': 'Of many writers at one revision exactly one wins, and the context is the winner’s',
  'gate.emit.crowd': 'Eight servers that write at once lose no event that they acknowledged',
  'gate.emit.idempotent': 'The same key and request returns the first answer again as a replay',
  'gate.emit.key-reused': 'The same key with another request is INVALID_PAYLOAD',
  'gate.emit.key-not-consumed': 'A refused call consumes no key',
  'gate.emit.idempotent-concurrent': 'Five equal calls at once give one event and five successes',
  'gate.emit.order-of-checks': 'Checks come in the order of the contract',
  'gate.emit.invalid-event': 'An unknown event or one of another state is INVALID_EVENT',
  'gate.emit.payload-schema': 'A payload is checked by its schema, a large one is refused',
  'gate.emit.context': 'The payload enters the context as far as the event declares it',
  'gate.emit.guarded-variable': 'A variable that a guard reads enters only where the event declares it',
  'gate.emit.context-schema': 'The context’s own schema is enforced',
  'gate.emit.durable': 'An acknowledged event survives kill -9 of the server',
  'gate.artifacts.confined': 'A path outside the project, also through a link, is refused',
  'gate.artifacts.kinds': 'Missing files and folders are refused with a reason',
  'gate.artifacts.types': 'A file’s type comes from the glob, else from its base name',
  'gate.artifacts.distinct': 'Neither a link nor a copy counts twice',
  'gate.artifacts.versions': 'A changed file is a new version of the same artifact',
  'gate.guards.context': 'A context guard knows six conditions',
  'gate.guards.artifact-exists': 'Files on disk satisfy artifact_exists and become evidence',
  'gate.guards.artifact-schema': 'The content of an artifact is checked by a schema',
  'gate.guards.command':
    'A command guard runs without a shell in the project root, with a time limit, when the rest holds',
  'gate.guards.command-bound': 'A command’s answer counts for nothing where the evidence changed meanwhile',
  'gate.guards.expression': 'An expression sees context and artifacts and cannot reach JavaScript',
  'gate.guards.combined': 'all, any and not combine guards',
  'gate.guards.approval': 'Approvals count distinct people who did not submit the evidence as it stands',
  'gate.test-command': 'init stores the test command that guards with config: test run, and no variable replaces it',
  'gate.trust': 'A command guard of a file that nobody trusted is unsatisfied and says so',
  'gate.roles': 'Event, role and transition must all admit the actor',
  'gate.roles.approve': 'approve and reject need can_approve and can_reject where the role is defined',
  'gate.list_events': 'list_events shows allowed events with their transitions and guard status',
  'gate.list_events.blocked': 'include_blocked adds the others with the reason and where they would be legal',
  'gate.list_events.elsewhere': 'An event of another state shows what its guards would still miss',
  'gate.create_run.inputs':
    'create_run sets a value that a guard reads only where the definition lists it under inputs, or for a person',
  'gate.emit.ignored-keys':
    'A key of the payload that is not merged is named with the reason, and the guard that misses it says so',
  'gate.emit.not-moved':
    'An accepted event that moved nothing says so with what is missing, and the command line exits 1',
  'gate.guards.undefined':
    'A variable that is not there satisfies neither equals nor not_equals, in nor not_in; null is there',
  'gate.artifacts.own': 'Nothing under .sekisho or in the data folder is evidence',
  'gate.definitions.reference': 'Definitions of the reference implementation load as they are, with warnings, and run',
  'gate.definitions.together':
    'Errors of form and of meaning are reported together, with line and remedy, in words of the process language',
  'gate.notifications.outside':
    'A file that a guard asks for by name is noticed when it comes or goes, whoever did it, and every connected client is told',
  'gate.list_processes':
    'list_processes shows usable processes and broken files; a project’s own win over shipped ones',
  'gate.get_history': 'get_history shows every event with who, what and which evidence',
  'gate.definitions.live': 'A definition is read at any time; a run keeps the one it started with',
  'gate.definitions.spellings': 'Both spellings of the head and the whole example language are accepted',
  'gate.policy': 'tool_permissions bind our own tools for agents, not for people',
  'gate.policy.open': 'The gate’s own tools are refused only by an explicit denied',
  'gate.approval.elsewhere':
    'An approval given where the files are not is decided within ten seconds by a daemon or Runner that serves them',
  'gate.admin.approve': 'A person approves and rejects; an agent’s connection or shell cannot',
  'gate.abort': 'sekisho abort ends a run with a reason: final, never done, out of the inbox, its task blocked',
  'gate.abort.person': 'Only a person aborts a run; an agent is told which command a person types',
  'gate.use': 'Which run is current is a person’s decision while one is open',
  'gate.verify': 'journal verify names every row that was changed, added or removed by hand',
  'gate.verify.user': 'journal verify says where the user’s own database was removed or replaced',
  'gate.verify.head': 'A link that was kept elsewhere proves the history',
  'gate.list_runs': 'list_runs shows the runs of the project, newest first, paged',
  'gate.summary': 'The summary resource shows process, state and progress',
  'gate.notifications.first': 'What happens right after the handshake is told too, a client’s own first call included',
  'gate.notifications': 'A change by another process reaches subscribers and list_changed listeners',
  'gate.hook.deny': 'A hook denies with the state that forbids the tool and what would open it',
  'gate.hook.no-opinion': 'Where the process has no opinion, or nothing is current, a hook prints no decision',
  'gate.hook.opens': 'After evidence moved the run on, the same call is not denied any more',
  'gate.hook.ask': 'ask asks where the client can, and is deny where it cannot',
  'gate.hook.clients': 'The same policy binds every client’s tools, in its own words and shapes',
  'gate.hook.never-locked-out': 'The gate’s own tools are closed only by an explicit denied',
  'gate.hook.which-run':
    'A hook is bound by what holds its client and its folder; --run-id and SEKISHO_RUN_ID neither bind nor free',
  'gate.hook.protected':
    'Agents’ file tools may write neither .sekisho/ nor the files in which clients are told whom to ask, with or without a run',
  'gate.hook.fail': 'A hook that fails is closed while a run is current and open otherwise, or as hook.fail says',
  'gate.hook.keys':
    'Hooks and servers read the same keys of a trusted configuration; without compiled keys a hook is closed and names sekisho trust',
  'gate.hook.fault': 'A fault in a hook blocks a tool before its use, and no other event of any client',
  'gate.hook.session-start': 'A session starts with the state, and compaction restates it',
  'gate.hook.stop': 'An agent that stops without the required artifacts is told so once',
  'gate.hook.receipts':
    'Every decision leaves a receipt that changes neither revision nor chain, and a missing one shows',
  'gate.hook.garbage': 'Whatever comes on stdin, a hook answers in the client’s shape',
  'gate.hook.light': 'The start of a hook loads only what it needs',
  'gate.hook.http': 'The daemon answers hooks over HTTP, with a token, alike',
  'gate.hook.postgres': 'With PostgreSQL a hook asks the local daemon and else connects itself',
  'gate.hook.init': 'init --client writes hooks and MCP server beside what is there, again without change',
} as const;

export type RequirementId = keyof typeof requirements;

/** The title of a test: the requirement’s id and sentence. */
export function requires(id: RequirementId): string {
  return `[${id}] ${requirements[id]}`;
}
