// Who may import whom: the table of ARCHITECTURE.md, one rule a line. test/boundaries.test.ts plants a violation of each.
const npm = (names) => `(^|/)node_modules/(@types/)?(${names})/|^(${names})(/|$)`;

/** What a CLI is and which there are. */
const agentFiles = 'agent(s|-cli|-hook)\\.ts$';

function forbid(name, from, to) {
  return { name, severity: 'error', from, to };
}

module.exports = {
  forbidden: [
    forbid('kernel-knows-nobody', { path: '^src/kernel/' }, { path: '^src/', pathNot: '^src/kernel/' }),
    forbid('machine-knows-nobody', { path: '^src/machine/' }, { path: '^src/', pathNot: '^src/machine/' }),
    // The dashboard draws with it too, in a browser.
    forbid(
      'graph-knows-nobody',
      { path: '^src/graph/' },
      { path: '^src/|^node:|(^|/)node_modules/', pathNot: `^src/graph/|${npm('@dagrejs/[^/]+')}` },
    ),
    forbid('gate-knows-kernel', { path: '^src/gate/' }, { path: '^src/', pathNot: '^src/(kernel|machine|gate)/' }),
    forbid('journal-knows-kernel', { path: '^src/journal/' }, { path: '^src/', pathNot: '^src/(kernel|journal)/' }),
    forbid(
      'notify-knows-kernel',
      { path: '^src/notify/' },
      { path: '^src/', pathNot: '^src/(kernel|machine|notify)/' },
    ),
    forbid(
      'phase-fleet-upstream-know-kernel-and-gate',
      { path: '^src/(phase|fleet|upstream)/' },
      { path: '^src/', pathNot: '^src/(kernel/|machine/|$1/|gate/(index|ports)\\.ts$)' },
    ),
    forbid(
      'work-knows-kernel-and-modules',
      { path: '^src/work/' },
      { path: '^src/', pathNot: '^src/(kernel/|machine/|work/|(gate|phase|fleet|upstream)/(index|ports)\\.ts$)' },
    ),
    // Hooks load every agent CLI, so none may load anything dear.
    forbid(
      'agents-know-kernel',
      { path: `^src/fleet/(agent/|shape/|${agentFiles})` },
      {
        path: '^src/|(^|/)node_modules/',
        pathNot: `^src/(kernel/|machine/sandbox/place\\.ts$|fleet/(agent/|shape/|${agentFiles}))`,
      },
    ),
    forbid(
      'hook-knows-kernel-gate-and-agents',
      { path: '^src/hook/' },
      { path: '^src/', pathNot: `^src/(kernel/|machine/|hook/|gate/light\\.ts$|fleet/${agentFiles})` },
    ),
    forbid('app-knows-no-command', { path: '^src/app/' }, { path: '^src/command/' }),
    forbid(
      'store-surface-config-know-kernel',
      { path: '^src/(store|surface|config)/' },
      { path: '^src/', pathNot: '^src/(kernel|machine|$1)/' },
    ),
    forbid('user-knows-kernel', { path: '^src/user/' }, { path: '^src/', pathNot: '^src/(kernel|user)/' }),
    // What the package publishes; of the client and of the steps it publishes the types, which must be complete in themselves.
    forbid(
      'library-knows-kernel-and-gate',
      { path: '^src/library/' },
      { path: '^src/', pathNot: '^src/(kernel|machine|gate|library)/' },
    ),
    forbid(
      'published-types-know-nobody',
      { path: '^src/library/(client|operations|walk-step)\\.ts$' },
      { pathNot: '^src/library/operations\\.ts$' },
    ),
    forbid('entries-are-imported-by-nobody', {}, { path: '^src/(cli|hook|host|library/(client|process))\\.ts$' }),
    forbid('product-knows-no-tests', { path: '^src/' }, { path: '^(test|bench|scripts|dashboard)/' }),
    forbid(
      'siblings-do-not-know-each-other',
      { path: '^src/([^/]+)/(agent|guard|dialect|operation)/([^/.]+)' },
      { path: '^src/$1/$2/', pathNot: '^src/$1/$2/$3(\\.ts$|/)' },
    ),
    forbid(
      'mcp-sdk-stays-at-the-edge',
      { path: '^src/', pathNot: '^src/(surface/|upstream/wire/)' },
      { path: npm('@modelcontextprotocol/[^/]+') },
    ),
    forbid(
      'database-drivers-stay-in-dialects',
      { path: '^src/', pathNot: '^src/store/dialect/' },
      { path: npm('pg|pg-[^/]+|@photostructure/sqlite') },
    ),
    forbid(
      'child-processes-start-in-few-places',
      {
        path: '^src/',
        pathNot:
          '^src/(machine/|fleet/host/|upstream/wire/|gate/guard/command(\\.ts$|/)|surface/terminal/editor\\.ts$)',
      },
      { path: '^(node:)?child_process$' },
    ),
    forbid('no-cycles', {}, { circular: true }),
    // An import that resolves to nothing would escape every rule above.
    forbid('imports-resolve', {}, { couldNotResolve: true }),
  ],
  options: {
    // TypeScript 7 has no API for it, and without a parser it would pass on 0 modules.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
