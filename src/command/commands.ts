import type { CommandEntry } from './frame/command.ts';

/** Every command beside the operations. Loaded only when it is called: each start pays for what it uses. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'init',
    load: async () => (await import('./init.ts')).init,
  },
  {
    name: 'demo',
    load: async () => (await import('./demo.ts')).demo,
  },
  {
    name: 'uninstall',
    load: async () => (await import('./uninstall.ts')).uninstall,
  },
  {
    name: 'up',
    load: async () => (await import('./up.ts')).up,
  },
  {
    name: 'down',
    load: async () => (await import('./down.ts')).down,
  },
  {
    name: 'open',
    load: async () => (await import('./open.ts')).open,
  },
  {
    name: 'session list',
    load: async () => (await import('./session.ts')).sessionCommands.list,
  },
  {
    name: 'session revoke',
    load: async () => (await import('./session.ts')).sessionCommands.revoke,
  },
  { name: 'mcp', load: async () => (await import('./mcp.ts')).mcp },
  {
    name: 'run',
    load: async () => (await import('./run.ts')).run,
  },
  {
    name: 'hook',
    load: async () => (await import('./hook.ts')).hook,
  },
  {
    name: 'status',
    load: async () => (await import('./status.ts')).status,
  },
  {
    name: 'doctor',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  {
    name: 'trust',
    load: async () => (await import('./trust.ts')).trust,
  },
  {
    name: 'approve',
    load: async () => (await import('./approve.ts')).approve,
  },
  {
    name: 'reject',
    load: async () => (await import('./approve.ts')).reject,
  },
  {
    name: 'abort',
    load: async () => (await import('./abort.ts')).abort,
  },
  {
    name: 'start',
    load: async () => (await import('./start.ts')).start,
  },
  {
    name: 'submit',
    load: async () => (await import('./submit.ts')).submit,
  },
  {
    name: 'log',
    load: async () => (await import('./journal-list.ts')).log,
  },
  {
    name: 'ps',
    load: async () => (await import('./ps.ts')).ps,
  },
  {
    name: 'tasks',
    load: async () => (await import('./tasks.ts')).tasks,
  },
  {
    name: 'backup',
    load: async () => (await import('./backup.ts')).backup,
  },
  {
    name: 'restore',
    load: async () => (await import('./restore.ts')).restore,
  },
  {
    name: 'resume',
    load: async () => (await import('./resume.ts')).resume,
  },
  {
    name: 'completion',
    load: async () => (await import('./completion.ts')).completion,
  },
  {
    name: 'evidence forget',
    load: async () => (await import('./evidence-forget.ts')).evidenceForget,
  },
  {
    name: 'token create',
    load: async () => (await import('./token.ts')).tokenCommands.create,
  },
  {
    name: 'token list',
    load: async () => (await import('./token.ts')).tokenCommands.list,
  },
  {
    name: 'token revoke',
    load: async () => (await import('./token.ts')).tokenCommands.revoke,
  },
  {
    name: 'admin add-person',
    load: async () => (await import('./admin-add-person.ts')).adminAddPerson,
  },
  {
    name: 'admin remove-person',
    load: async () => (await import('./admin-remove-person.ts')).adminRemovePerson,
  },
  {
    name: 'admin admit',
    load: async () => (await import('./admin-admit.ts')).adminAdmit,
  },
  {
    name: 'gate lint',
    load: async () => (await import('./gate-lint.ts')).gateLint,
  },
  {
    name: 'gate graph',
    load: async () => (await import('./gate-graph.ts')).gateGraph,
  },
  {
    name: 'gate use',
    load: async () => (await import('./gate-use.ts')).gateUse,
  },
  {
    name: 'journal list',
    load: async () => (await import('./journal-list.ts')).journalList,
  },
  {
    name: 'journal verify',
    load: async () => (await import('./journal-verify.ts')).journalVerify,
  },
  {
    name: 'fleet watch',
    load: async () => (await import('./fleet-watch.ts')).fleetWatch,
  },
  {
    name: 'fleet check-roles',
    load: async () => (await import('./fleet-check-roles.ts')).fleetCheckRoles,
  },
  {
    name: 'fleet import-roles',
    load: async () => (await import('./fleet-import-roles.ts')).fleetImportRoles,
  },
  {
    name: 'phase status',
    load: async () => (await import('./phase.ts')).phaseCommands.status,
  },
  {
    name: 'phase restart',
    load: async () => (await import('./phase.ts')).phaseCommands.restart,
  },
  {
    name: 'phase prompts',
    load: async () => (await import('./phase.ts')).phaseCommands.prompts,
  },
  {
    name: 'phase versions',
    load: async () => (await import('./phase.ts')).phaseCommands.versions,
  },
  {
    name: 'phase show',
    load: async () => (await import('./phase.ts')).phaseCommands.show,
  },
  {
    name: 'phase publish',
    load: async () => (await import('./phase.ts')).phaseCommands.publish,
  },
  {
    name: 'phase label',
    load: async () => (await import('./phase.ts')).phaseCommands.label,
  },
  {
    name: 'phase rollback',
    load: async () => (await import('./phase.ts')).phaseCommands.rollback,
  },
  {
    name: 'phase withdraw',
    load: async () => (await import('./phase.ts')).phaseCommands.withdraw,
  },
  {
    name: 'phase diff',
    load: async () => (await import('./phase.ts')).phaseCommands.diff,
  },
  {
    name: 'phase edit',
    load: async () => (await import('./phase-edit.ts')).phaseEdit,
  },
  {
    name: 'runner',
    load: async () => (await import('./runner.ts')).runner,
  },
  {
    name: 'work board',
    load: async () => (await import('./work-board.ts')).workBoard,
  },
  {
    name: 'work ready',
    load: async () => (await import('./work-board.ts')).workReady,
  },
  {
    name: 'work graph',
    load: async () => (await import('./work-board.ts')).workGraph,
  },
  {
    name: 'work export',
    load: async () => (await import('./work-export.ts')).workExport,
  },
  {
    name: 'work import',
    load: async () => (await import('./work-import.ts')).workImport,
  },
  {
    name: 'work get-execution-log',
    load: async () => (await import('./work-get-execution-log.ts')).workGetExecutionLog,
  },
];
