/** What a person types to see a command, in a project that is prepared as in `narrow.test.ts`. The order is that of a day. */
interface Seen {
  /** Lines for a shell, in which `$S` is the command; the first is the one that a person types most. */
  readonly lines: readonly string[];
}

/** Nobody reads it at a terminal, or another test looks at it: why. */
type Unseen = { readonly forPrograms: string } | { readonly elsewhere: string };

export const everyCommand: Readonly<Record<string, Seen | Unseen>> = {
  init: {
    lines: ['$S init --yes --client claude', '$S init --dry-run --client codex --yes', '$S init --client nobody'],
  },
  status: { lines: ['$S status --rings', '$S'] },
  doctor: { lines: ['$S doctor'] },
  start: { lines: ['$S start checkpoint "Greet in Japanese, 日本語であいさつする"', '$S start'] },
  submit: { lines: ['$S submit', '$S submit submit_observation plan.md', '$S submit no_such_event'] },
  approve: { lines: ['$S approve', '$S approve run-nothing'] },
  reject: { lines: ['$S reject'] },
  abort: {
    lines: [
      '$S start checkpoint "No longer needed"; $S abort $($S gate list-runs --limit 1 --json | grep -o "run-[0-9a-f-]*") --reason "The customer has withdrawn the request"',
      '$S abort',
      '$S abort run-nothing --reason none',
    ],
  },
  trust: { lines: ['$S trust'] },
  log: { lines: ['$S log'] },
  'journal list': { lines: ['$S journal list --limit 3'] },
  'journal verify': { lines: ['$S journal verify', `$S journal verify --head ${'0'.repeat(64)}`] },
  'evidence forget': { lines: [`$S evidence forget ${'0'.repeat(64)}`] },
  backup: { lines: ['$S backup ../day.backup', '$S backup ../day.backup', '$S backup nowhere/day.backup'] },
  restore: { lines: ['$S restore ../day.backup', '$S restore plan.md', '$S restore'] },
  resume: { lines: ['$S resume'] },
  'gate lint': { lines: ['$S gate lint broken.yaml', '$S gate lint'] },
  'gate graph': { forPrograms: 'it is the source of a drawing' },
  'gate use': { lines: ['$S gate use run-nothing'] },
  'token create': { lines: ['$S token create --name phone'] },
  'token list': { lines: ['$S token list'] },
  'token revoke': { lines: ['$S token revoke nothing'] },
  'admin add-person': { lines: ['$S admin add-person Bob', '$S admin add-person Bob'] },
  'admin remove-person': { lines: ['$S admin remove-person Nobody', '$S admin remove-person Bob'] },
  'admin admit': { lines: ['$S admin admit', '$S admin admit nothing', `$S admin admit ${'a'.repeat(20)}`] },
  'session list': { lines: ['$S session list'] },
  'session revoke': { lines: ['$S session revoke nothing'] },
  tasks: { lines: ['$S tasks'] },
  'work board': { lines: ['$S work board'] },
  'work ready': { lines: ['$S work ready'] },
  'work graph': { lines: ['$S work graph'] },
  'work export': { forPrograms: 'JSON Lines, for a file' },
  'work import': { lines: ['$S work import broken.yaml', '$S work import nothing.jsonl'] },
  'work get-execution-log': { lines: ['$S work get-execution-log --execution-log-id nothing'] },
  ps: { lines: ['$S ps'] },
  'fleet watch': { lines: ['$S fleet watch --once'] },
  'fleet check-roles': { lines: ['$S fleet check-roles'] },
  'fleet import-roles': { lines: ['$S fleet import-roles nothing.yaml'] },
  runner: { lines: ['$S runner --once'] },
  run: { lines: ['$S run nobody'] },
  'phase status': { lines: ['$S phase status'] },
  'phase publish': { lines: ['$S phase publish note --file plan.md', '$S phase publish note --file nothing.md'] },
  'phase prompts': { lines: ['$S phase prompts'] },
  'phase versions': { lines: ['$S phase versions note', '$S phase versions nothing'] },
  'phase show': { lines: ['$S phase show note', '$S phase show'] },
  'phase label': { lines: ['$S phase label note staging 1'] },
  'phase diff': { lines: ['$S phase diff note'] },
  'phase rollback': { lines: ['$S phase rollback note'] },
  'phase withdraw': { lines: ['$S phase withdraw note --label staging'] },
  'phase edit': { lines: ['EDITOR=true $S phase edit note'] },
  'phase restart': { lines: ['$S phase restart'] },
  completion: { forPrograms: 'it is read by a shell' },
  mcp: { forPrograms: 'it speaks the protocol' },
  hook: { forPrograms: 'it answers a client in JSON' },
  demo: { elsewhere: 'demo.test.ts plays it at two widths' },
  up: { lines: ['$S up --background --port 0', '$S up --port nothing'] },
  open: { lines: ['$S open --print'] },
  down: { lines: ['$S down'] },
  uninstall: { lines: ['$S uninstall --dry-run; $S uninstall'] },
};

/** What goes wrong whatever one types. */
export const everyMistake: readonly string[] = [
  '$S frobnicate',
  '$S gate frobnicate',
  '$S status --frobnicate',
  '$S status --lang',
  '$S gate list-runs --limit many',
  'SEKISHO_DB=/dev/null/no/folder/with-a-long-name/sekisho.db $S status',
  'SEKISHO_DB=/dev/null/no/folder/with-a-long-name/sekisho.db $S start',
  'CLAUDECODE=1 $S approve',
  'CLAUDECODE=1 $S token list',
];
