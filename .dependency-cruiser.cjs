// Who may import whom: the table of ARCHITECTURE.md, one rule a line. test/boundaries.test.ts plants a violation of each.
const npm = (names) => `(^|/)node_modules/(@types/)?(${names})/|^(${names})(/|$)`;

/** What a CLI is and which there are. */
const agentFiles = 'agent(s|-cli|-hook)\\.ts$';

/** What everybody may know of the sandbox: the port that starts a program in it, its folders, and what appeared there. */
const sandboxFiles = 'sandbox/(port|place|allowed|repositories)\\.ts$';

function forbid(name, from, to) {
  return { name, severity: 'error', from, to };
}

module.exports = {
  forbidden: [
    forbid('base-imports-nothing-of-ours', { path: '^src/base/' }, { path: '^src/', pathNot: '^src/base/' }),
    forbid('kernel-imports-base', { path: '^src/kernel/' }, { path: '^src/', pathNot: '^src/(base|kernel)/' }),
    forbid('machine-imports-base', { path: '^src/machine/' }, { path: '^src/', pathNot: '^src/(base|machine)/' }),
    // The dashboard draws with it too, in a browser.
    forbid(
      'graph-imports-nothing-of-ours',
      { path: '^src/graph/' },
      { path: '^src/|^node:|(^|/)node_modules/', pathNot: `^src/graph/|${npm('@dagrejs/[^/]+')}` },
    ),
    forbid(
      'foundations-import-kernel',
      { path: '^src/(protocol|store|user|journal|notify)/' },
      { path: '^src/', pathNot: '^src/(base|kernel|machine|$1)/' },
    ),
    forbid(
      'config-imports-kernel',
      { path: '^src/config/' },
      { path: '^src/', pathNot: `^src/(base/|kernel/|machine/|config/|${sandboxFiles})` },
    ),
    forbid(
      'surface-imports-kernel-and-protocol',
      { path: '^src/surface/' },
      { path: '^src/', pathNot: '^src/(base|kernel|machine|protocol|surface)/' },
    ),
    forbid(
      'gate-imports-kernel',
      { path: '^src/gate/' },
      { path: '^src/', pathNot: `^src/(base/|kernel/|machine/|gate/|${sandboxFiles})` },
    ),
    forbid(
      'change-imports-kernel-and-gate',
      { path: '^src/change/' },
      { path: '^src/', pathNot: `^src/(base/|kernel/|machine/|change/|${sandboxFiles}|gate/(index|ports)\\.ts$)` },
    ),
    forbid(
      'modules-import-kernel-and-gate',
      { path: '^src/(phase|upstream)/' },
      {
        path: '^src/',
        pathNot: `^src/(base/|kernel/|machine/|protocol/|$1/|${sandboxFiles}|gate/(index|ports)\\.ts$)`,
      },
    ),
    forbid(
      'fleet-imports-kernel-gate-and-change',
      { path: '^src/fleet/', pathNot: '^src/fleet/terminal/' },
      {
        path: '^src/',
        pathNot: `^src/(base/|kernel/|machine/|protocol/|fleet/|${sandboxFiles}|gate/(index|ports)\\.ts$|change/index\\.ts$)`,
      },
    ),
    forbid(
      'work-imports-kernel-and-modules',
      { path: '^src/work/', pathNot: '^src/work/terminal/' },
      {
        path: '^src/',
        pathNot: `^src/(base/|kernel/|machine/|work/|${sandboxFiles}|(gate|phase|fleet|upstream)/(index|ports)\\.ts$|change/index\\.ts$)`,
      },
    ),
    // How a module looks at a terminal: it may use what draws there.
    forbid(
      'terminal-views-import-their-module',
      { path: '^src/(fleet|work)/terminal/' },
      { path: '^src/', pathNot: '^src/(base/|kernel/|$1/|surface/terminal/)' },
    ),
    // Hooks load every agent CLI, so none may load anything expensive.
    forbid(
      'agents-import-kernel',
      { path: `^src/fleet/(agent/|shape/|${agentFiles})` },
      {
        path: '^src/|(^|/)node_modules/',
        pathNot: `^src/(base/|kernel/|${sandboxFiles}|fleet/(agent/|shape/|${agentFiles}))`,
      },
    ),
    forbid(
      'hook-imports-kernel-gate-and-agents',
      { path: '^src/hook/' },
      { path: '^src/', pathNot: `^src/(base/|kernel/|machine/|hook/|gate/hook-api\\.ts$|fleet/${agentFiles})` },
    ),
    forbid('sandbox-imports-no-surface', { path: '^src/sandbox/' }, { path: '^src/(surface|app|command|daemon)/' }),
    forbid('setup-imports-no-command', { path: '^src/setup/' }, { path: '^src/command/' }),
    forbid('app-and-daemon-import-no-command', { path: '^src/(app|daemon)/' }, { path: '^src/command/' }),
    // What the package publishes; of the client and of the steps it publishes the types, which must be complete in themselves.
    forbid(
      'library-imports-kernel-and-gate',
      { path: '^src/library/' },
      { path: '^src/', pathNot: '^src/(base|kernel|machine|gate|library)/' },
    ),
    forbid(
      'published-types-import-nothing',
      { path: '^src/library/(client|operations|walk-step)\\.ts$' },
      { pathNot: '^src/library/operations\\.ts$' },
    ),
    forbid('entries-are-not-imported', {}, { path: '^src/(cli|hook|host|library/(client|process))\\.ts$' }),
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
          '^src/(machine/|sandbox/|fleet/host/|upstream/wire/|gate/guard/command(\\.ts$|/)|surface/terminal/editor\\.ts$)',
      },
      { path: '^(node:)?child_process$' },
    ),
    // A ja.ts imports the types of the English texts that it translates.
    forbid('no-cycles', {}, { circular: true, viaOnly: { pathNot: '/ja\\.ts$' } }),
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
