/** The dashboard's API, its sign-in and its page. */
export const dashboard = {
  'dashboard.api': 'Every operation is POST /api/<name>?project=…, as the person who is signed in',
  'dashboard.api.failures': 'A failure has one shape, code, message and details, in the reader’s language',
  'dashboard.api.openapi': 'An OpenAPI 3.1 document describes every operation, and answers are as it says',
  'dashboard.api.ask': '?ask says what is about to be agreed to, and the input that does exactly that',
  'dashboard.api.stream': 'The journal is streamed, filtered by project, and goes on where a reader left it',
  'dashboard.link': 'A link works once, within a minute, and only a person can make one',
  'dashboard.both-secrets':
    'Cookie and key are both needed; either alone opens nothing, and neither opens anything else',
  'dashboard.origin': 'Another port of this machine is another site',
  'dashboard.public':
    'Behind a proxy that speaks TLS the page is served under its one public address, with a cookie for TLS alone; nothing is served that came in clear',
  'dashboard.headers': 'Every answer to a browser carries a strict policy, and nothing lets another site in',
  'dashboard.sessions': 'Sessions are listed and ended, and what was open ends with them',
  'dashboard.people': 'Two people are two, in approvals too',
  'dashboard.daemon': 'One daemon a user runs in the background, and its log stays small',
  'dashboard.page.sign-in': 'A link opens the page signed in, leaves no code in the address, and works once',
  'dashboard.page.public': 'A browser signs in over TLS, and its cookie is for that host and for TLS alone',
  'dashboard.page.two-ports': 'A server on another port gets the cookie and can do nothing with it',
  'dashboard.page.inbox': 'What waits for a person is shown with its evidence, and appears by itself',
  'dashboard.page.matters':
    'Blocked tasks, open hand-offs, failed agents and upstreams that are away are listed, and the inbox leads to them',
  'dashboard.page.approval': 'A person reads the evidence and approves or rejects exactly it; a stale page is refused',
  'dashboard.page.reading':
    'Evidence is approved once all of it was opened, or accepted where it cannot be shown; what was shown is what is approved',
  'dashboard.page.reject': 'A rejection works whatever changes meanwhile',
  'dashboard.page.not-moved': 'Where a run stays in its state after an approval, the page says why',
  'dashboard.page.decisions':
    'In Japanese too, and on PostgreSQL, a person approves, rejects, assigns, moves, edits a role, publishes, rolls back, activates and ends a session, by dialogs that everybody can use',
  'dashboard.page.hostile': 'What an agent wrote stays text, and what is hidden in it is shown',
  'dashboard.page.hostile-files':
    'HTML, SVG, false images, and files that are too large, too wide or too deep stay text, and the page answers',
  'dashboard.page.second-user': 'What one person’s browser holds opens nothing together with another’s, and ends alone',
  'dashboard.page.runs': 'Runs are listed, filtered by the address, and started',
  'dashboard.page.abort':
    'A person aborts a run with a reason; the page says so, and nobody is asked about it any more',
  'dashboard.page.run': 'A run shows its graph, its path and what is missing, and moves when it is decided',
  'dashboard.page.board':
    'Tasks stand on a board by their state and move by a dialog; a task shows what it waits for, who worked on it and what happened in every toolset',
  'dashboard.page.fleet':
    'Groups and agents are shown as they run, over time, with tokens, cost and the log as it comes, and are cancelled by a dialog; roles say whether they work, are edited and deleted: what is written holds when it was looked at',
  'dashboard.page.work':
    'Projects, agents, sessions and Runners are shown as they are now; a project or agent is paused, assigned, and given a new passkey that is shown once',
  'dashboard.page.live': 'Two browsers and several tabs see each other’s changes',
  'dashboard.page.projects': 'The overview shows every project of the daemon, and each has pages of its own',
  'dashboard.page.together':
    'Two browsers and three agents at once see each other’s changes; of two who approve at the same moment one wins, and the other is told once',
  'dashboard.page.long': 'A long list comes page by page, and only what is near is in the page',
  'dashboard.page.open-long': 'A page that is left open while much happens holds no more than before',
  'dashboard.page.slow': 'What takes longer than the next change is away is answered all the same',
  'dashboard.page.journal': 'The journal is live, filtered by the address, and verified against a head that was kept',
  'dashboard.page.news':
    'A tab that nobody looks at still counts what waits, and notifies where it was told to; a page that is older than the daemon offers to reload',
  'dashboard.page.processes': 'Processes show their graph, their trust, what the check found and their runs',
  'dashboard.page.prompts':
    'Prompts show their versions, the words that changed and a preview; publishing, labels and rolling back show the change first',
  'dashboard.page.upstreams':
    'Upstreams show their state and why, their tools and the last calls, and are checked and activated',
  'dashboard.page.settings':
    'Settings show rings, people, tokens and browsers, and end those that shall not go on; the overview shows every project',
} as const;
