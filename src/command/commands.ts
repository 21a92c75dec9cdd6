import type { CommandEntry } from './frame/command.ts';
import { words } from './words.ts';

/** Every command that is not an operation. Its code is loaded when it is called, which keeps start-up cheap. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'init',
    summary: words('Prepare this folder: .sekisho/ with a configuration and a place for processes'),
    load: async () => (await import('./init.ts')).init,
  },
  {
    name: 'demo',
    summary: words('See in two minutes what a gate does: a scripted agent in a scratch project; leaves nothing behind'),
    load: async () => (await import('./demo.ts')).demo,
  },
  {
    name: 'uninstall',
    summary: words('Take away again what init has set up here; the store stays'),
    load: async () => (await import('./uninstall.ts')).uninstall,
  },
  {
    name: 'up',
    summary: words('Start the daemon: MCP over HTTP on loopback, and the dashboard'),
    load: async () => (await import('./up.ts')).up,
  },
  {
    name: 'down',
    summary: words('Stop the daemon that runs in the background'),
    load: async () => (await import('./down.ts')).down,
  },
  {
    name: 'open',
    summary: words('Open the dashboard in a browser, signed in; starts the daemon where none runs'),
    load: async () => (await import('./open.ts')).open,
  },
  {
    name: 'session list',
    summary: words('The browsers that are signed in to the dashboard'),
    load: async () => (await import('./session.ts')).sessionCommands.list,
  },
  {
    name: 'session revoke',
    summary: words('Sign a browser out of the dashboard, or all of them'),
    load: async () => (await import('./session.ts')).sessionCommands.revoke,
  },
  { name: 'mcp', summary: words('Serve one MCP client over stdio'), load: async () => (await import('./mcp.ts')).mcp },
  {
    name: 'run',
    summary: words('Start an agent CLI in a sandbox that cannot reach what decides about it'),
    load: async () => (await import('./run.ts')).run,
  },
  {
    name: 'hook',
    summary: words('Answer one hook of an agent CLI: its JSON on stdin, the decision on stdout'),
    load: async () => (await import('./hook.ts')).hook,
  },
  {
    name: 'status',
    summary: words('Where the project stands: rings, run, what waits for you, agents, tasks, what to type next'),
    load: async () => (await import('./status.ts')).status,
  },
  {
    name: 'doctor',
    summary: words('Check this installation and project, and say what to do about what is wrong'),
    load: async () => (await import('./status.ts')).doctor,
  },
  {
    name: 'trust',
    summary: words('See what changed in the configuration and the definitions, and let it hold'),
    load: async () => (await import('./trust.ts')).trust,
  },
  {
    name: 'approve',
    summary: words('Look at the evidence of a run and approve it; without a run: what waits for you'),
    load: async () => (await import('./approve.ts')).approve,
  },
  {
    name: 'reject',
    summary: words('Look at the evidence of a run and send it back; without a run: what waits for you'),
    load: async () => (await import('./approve.ts')).reject,
  },
  {
    name: 'abort',
    summary: words('End a run that is no longer needed, with a reason; it never counts as done'),
    load: async () => (await import('./abort.ts')).abort,
  },
  {
    name: 'start',
    summary: words('Start a run of a process, with its goal in words; without a process: which there are'),
    load: async () => (await import('./start.ts')).start,
  },
  {
    name: 'submit',
    summary: words('Submit an event with files as its evidence; without an event: which are open'),
    load: async () => (await import('./submit.ts')).submit,
  },
  {
    name: 'log',
    summary: words('What happened, newest last; of a run or a task by its id'),
    load: async () => (await import('./journal-list.ts')).log,
  },
  {
    name: 'ps',
    summary: words('The agents that run, and those that ran last'),
    load: async () => (await import('./ps.ts')).ps,
  },
  { name: 'tasks', summary: words('The tasks of the projects'), load: async () => (await import('./tasks.ts')).tasks },
  {
    name: 'backup',
    summary: words('Write the whole store of this project to a file, while agents work'),
    load: async () => (await import('./backup.ts')).backup,
  },
  {
    name: 'restore',
    summary: words('Put a backup in place of the store; shows the differences first, and pauses agents'),
    load: async () => (await import('./restore.ts')).restore,
  },
  {
    name: 'resume',
    summary: words('Let agents start again after a restore'),
    load: async () => (await import('./resume.ts')).resume,
  },
  {
    name: 'completion',
    summary: words('Print what makes bash, zsh or fish complete our words'),
    load: async () => (await import('./completion.ts')).completion,
  },
  {
    name: 'evidence forget',
    summary: words('Remove the kept content of evidence; its digest stays'),
    load: async () => (await import('./evidence-forget.ts')).evidenceForget,
  },
  {
    name: 'token create',
    summary: words('Make a token that proves a person where there is no terminal; shown once'),
    load: async () => (await import('./token.ts')).tokenCommands.create,
  },
  {
    name: 'token list',
    summary: words('The people and their tokens, without the tokens themselves'),
    load: async () => (await import('./token.ts')).tokenCommands.list,
  },
  {
    name: 'token revoke',
    summary: words('End a token of a person, and with --sessions the browsers in which they are signed in'),
    load: async () => (await import('./token.ts')).tokenCommands.revoke,
  },
  {
    name: 'admin add-person',
    summary: words('Add somebody beside yourself, with a token of their own: a second approver'),
    load: async () => (await import('./admin-add-person.ts')).adminAddPerson,
  },
  {
    name: 'admin remove-person',
    summary: words('Remove a person: their tokens, browsers and links end at once; past approvals stay in the history'),
    load: async () => (await import('./admin-remove-person.ts')).adminRemovePerson,
  },
  {
    name: 'admin admit',
    summary: words(
      'Let the people of another user database decide here, such as a teammate on another machine; without a key, list those who may',
    ),
    load: async () => (await import('./admin-admit.ts')).adminAdmit,
  },
  {
    name: 'gate lint',
    summary: words('Report every problem of process definitions at once'),
    load: async () => (await import('./gate-lint.ts')).gateLint,
  },
  {
    name: 'gate graph',
    summary: words('Draw a process or a run as SVG, Mermaid or DOT'),
    load: async () => (await import('./gate-graph.ts')).gateGraph,
  },
  {
    name: 'gate use',
    summary: words('Make a run the current one of the project'),
    load: async () => (await import('./gate-use.ts')).gateUse,
  },
  {
    name: 'journal list',
    summary: words('The timeline of the project: who did what, newest last'),
    load: async () => (await import('./journal-list.ts')).journalList,
  },
  {
    name: 'journal verify',
    summary: words('Prove that no row of any run was changed, added or removed by hand'),
    load: async () => (await import('./journal-verify.ts')).journalVerify,
  },
  {
    name: 'fleet watch',
    summary: words('Groups and agents as they go: state, time, tool calls, tokens, last line'),
    load: async () => (await import('./fleet-watch.ts')).fleetWatch,
  },
  {
    name: 'fleet check-roles',
    summary: words('Check the program and the model of every role (asks the model: it costs a call each)'),
    load: async () => (await import('./fleet-check-roles.ts')).fleetCheckRoles,
  },
  {
    name: 'fleet import-roles',
    summary: words('Take over the roles of a kuromajutsu configuration'),
    load: async () => (await import('./fleet-import-roles.ts')).fleetImportRoles,
  },
  {
    name: 'phase status',
    summary: words('Where the phases of a project stand, and what is missing'),
    load: async () => (await import('./phase.ts')).phaseCommands.status,
  },
  {
    name: 'phase restart',
    summary: words('Begin the phases of a project anew'),
    load: async () => (await import('./phase.ts')).phaseCommands.restart,
  },
  {
    name: 'phase prompts',
    summary: words('The prompts that were published in the store'),
    load: async () => (await import('./phase.ts')).phaseCommands.prompts,
  },
  {
    name: 'phase versions',
    summary: words('Every version of a prompt'),
    load: async () => (await import('./phase.ts')).phaseCommands.versions,
  },
  {
    name: 'phase show',
    summary: words('A prompt as it is written'),
    load: async () => (await import('./phase.ts')).phaseCommands.show,
  },
  {
    name: 'phase publish',
    summary: words('Publish a new version of a prompt'),
    load: async () => (await import('./phase.ts')).phaseCommands.publish,
  },
  {
    name: 'phase label',
    summary: words('Point a label at a version of a prompt'),
    load: async () => (await import('./phase.ts')).phaseCommands.label,
  },
  {
    name: 'phase rollback',
    summary: words('Serve an earlier version of a prompt again'),
    load: async () => (await import('./phase.ts')).phaseCommands.rollback,
  },
  {
    name: 'phase withdraw',
    summary: words('Take a label off a prompt, so that it is not served any more'),
    load: async () => (await import('./phase.ts')).phaseCommands.withdraw,
  },
  {
    name: 'phase diff',
    summary: words('What changed between two versions of a prompt'),
    load: async () => (await import('./phase.ts')).phaseCommands.diff,
  },
  {
    name: 'phase edit',
    summary: words('Edit a prompt in $EDITOR and publish it'),
    load: async () => (await import('./phase-edit.ts')).phaseEdit,
  },
  {
    name: 'runner',
    summary: words('Start agents for the work that waits: ask, claim, start, again and again'),
    load: async () => (await import('./runner.ts')).runner,
  },
  {
    name: 'work board',
    summary: words('The tasks of each project, state by state'),
    load: async () => (await import('./work-board.ts')).workBoard,
  },
  {
    name: 'work ready',
    summary: words('The tasks that can start now: to do, and waiting for nothing'),
    load: async () => (await import('./work-board.ts')).workReady,
  },
  {
    name: 'work graph',
    summary: words('What comes after what: tasks below those that they wait for'),
    load: async () => (await import('./work-board.ts')).workGraph,
  },
  {
    name: 'work export',
    summary: words('Write projects and tasks as JSON Lines'),
    load: async () => (await import('./work-export.ts')).workExport,
  },
  {
    name: 'work import',
    summary: words('Read projects and tasks from JSON Lines: all of them or none'),
    load: async () => (await import('./work-import.ts')).workImport,
  },
  {
    name: 'work get-execution-log',
    summary: words('One execution; with --follow its output as it comes'),
    load: async () => (await import('./work-get-execution-log.ts')).workGetExecutionLog,
  },
];
