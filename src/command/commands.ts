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
    summary: words('Uninstall from this project: undo what init set up; the store stays'),
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
    summary: words('Open the dashboard in a browser, signed in; starts the daemon if needed'),
    load: async () => (await import('./open.ts')).open,
  },
  {
    name: 'session list',
    summary: words('List the browsers that are signed in to the dashboard'),
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
    summary: words('Start an agent CLI in a sandbox, cut off from the files that control it'),
    load: async () => (await import('./run.ts')).run,
  },
  {
    name: 'hook',
    summary: words('Answer one hook of an agent CLI: its JSON on stdin, the decision on stdout'),
    load: async () => (await import('./hook.ts')).hook,
  },
  {
    name: 'status',
    summary: words('Show where the project stands: rings, run, approvals, agents, tasks, next command'),
    load: async () => (await import('./status.ts')).status,
  },
  {
    name: 'doctor',
    summary: words('Check this installation and project, and say how to fix problems'),
    load: async () => (await import('./status.ts')).doctor,
  },
  {
    name: 'trust',
    summary: words('Review changes of the configuration and the processes, and trust them'),
    load: async () => (await import('./trust.ts')).trust,
  },
  {
    name: 'approve',
    summary: words('Review the evidence of a run and approve it; without a run, list those that wait for you'),
    load: async () => (await import('./approve.ts')).approve,
  },
  {
    name: 'reject',
    summary: words('Review the evidence of a run and reject it; without a run, list those that wait for you'),
    load: async () => (await import('./approve.ts')).reject,
  },
  {
    name: 'abort',
    summary: words('End a run that is no longer needed, with a reason; it never counts as done'),
    load: async () => (await import('./abort.ts')).abort,
  },
  {
    name: 'start',
    summary: words('Start a run of a process with a goal; without a process, list them'),
    load: async () => (await import('./start.ts')).start,
  },
  {
    name: 'submit',
    summary: words('Submit an event with files as evidence; without an event, list those that are open'),
    load: async () => (await import('./submit.ts')).submit,
  },
  {
    name: 'log',
    summary: words('Show what happened, newest last; filter by the ID of a run or a task'),
    load: async () => (await import('./journal-list.ts')).log,
  },
  {
    name: 'ps',
    summary: words('List the agents that run, and those that ran last'),
    load: async () => (await import('./ps.ts')).ps,
  },
  {
    name: 'tasks',
    summary: words('List the tasks of the projects'),
    load: async () => (await import('./tasks.ts')).tasks,
  },
  {
    name: 'backup',
    summary: words('Write the whole store of this project to a file, while agents work'),
    load: async () => (await import('./backup.ts')).backup,
  },
  {
    name: 'restore',
    summary: words('Replace the store with a backup; shows the differences first, and pauses agents'),
    load: async () => (await import('./restore.ts')).restore,
  },
  {
    name: 'resume',
    summary: words('Let agents start again after a restore'),
    load: async () => (await import('./resume.ts')).resume,
  },
  {
    name: 'completion',
    summary: words('Print the completion script for bash, zsh or fish'),
    load: async () => (await import('./completion.ts')).completion,
  },
  {
    name: 'evidence forget',
    summary: words('Remove stored evidence; its digest stays'),
    load: async () => (await import('./evidence-forget.ts')).evidenceForget,
  },
  {
    name: 'token create',
    summary: words('Create a token that identifies a person where there is no terminal; it is shown once'),
    load: async () => (await import('./token.ts')).tokenCommands.create,
  },
  {
    name: 'token list',
    summary: words('List the people and their tokens, without the secrets'),
    load: async () => (await import('./token.ts')).tokenCommands.list,
  },
  {
    name: 'token revoke',
    summary: words("Revoke a person's token, and with --sessions sign out their browsers"),
    load: async () => (await import('./token.ts')).tokenCommands.revoke,
  },
  {
    name: 'admin add-person',
    summary: words('Add a person with a token of their own, such as a second approver'),
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
      'Admit the people of another user database, such as a teammate on another machine; without a key, list admitted keys',
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
    summary: words('Show the timeline of the project: who did what, newest last'),
    load: async () => (await import('./journal-list.ts')).journalList,
  },
  {
    name: 'journal verify',
    summary: words('Prove that no row of any run was changed, added or removed by hand'),
    load: async () => (await import('./journal-verify.ts')).journalVerify,
  },
  {
    name: 'fleet watch',
    summary: words('Watch groups and agents live: state, time, tool calls, tokens, last line'),
    load: async () => (await import('./fleet-watch.ts')).fleetWatch,
  },
  {
    name: 'fleet check-roles',
    summary: words('Check the program and the model of every role (asks the model: it costs a call each)'),
    load: async () => (await import('./fleet-check-roles.ts')).fleetCheckRoles,
  },
  {
    name: 'fleet import-roles',
    summary: words('Import the roles of a kuromajutsu configuration'),
    load: async () => (await import('./fleet-import-roles.ts')).fleetImportRoles,
  },
  {
    name: 'phase status',
    summary: words('Show the current phase of a project, and what is missing'),
    load: async () => (await import('./phase.ts')).phaseCommands.status,
  },
  {
    name: 'phase restart',
    summary: words('Restart the phases of a project from the first one'),
    load: async () => (await import('./phase.ts')).phaseCommands.restart,
  },
  {
    name: 'phase prompts',
    summary: words('List the prompts that are published in the store'),
    load: async () => (await import('./phase.ts')).phaseCommands.prompts,
  },
  {
    name: 'phase versions',
    summary: words('List every version of a prompt'),
    load: async () => (await import('./phase.ts')).phaseCommands.versions,
  },
  {
    name: 'phase show',
    summary: words('Show the text of a prompt'),
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
    summary: words('Remove a label from a prompt, so that it is no longer served'),
    load: async () => (await import('./phase.ts')).phaseCommands.withdraw,
  },
  {
    name: 'phase diff',
    summary: words('Show what changed between two versions of a prompt'),
    load: async () => (await import('./phase.ts')).phaseCommands.diff,
  },
  {
    name: 'phase edit',
    summary: words('Edit a prompt in $EDITOR and publish it'),
    load: async () => (await import('./phase-edit.ts')).phaseEdit,
  },
  {
    name: 'runner',
    summary: words('Start agents for tasks that are ready, in a loop: ask, claim, start'),
    load: async () => (await import('./runner.ts')).runner,
  },
  {
    name: 'work board',
    summary: words('Show the tasks of each project by status'),
    load: async () => (await import('./work-board.ts')).workBoard,
  },
  {
    name: 'work ready',
    summary: words('List the tasks that can start now: to do, with no open dependency'),
    load: async () => (await import('./work-board.ts')).workReady,
  },
  {
    name: 'work graph',
    summary: words('Show task dependencies: each task below the ones it waits for'),
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
    summary: words('Show one execution; with --follow, its output as it comes'),
    load: async () => (await import('./work-get-execution-log.ts')).workGetExecutionLog,
  },
];
