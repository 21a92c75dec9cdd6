import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refuses, shapes } from './clients.ts';
import { type HookWorld, makeHookWorld } from './hooks-world.ts';
import { row } from '../setup/security.ts';

/** What people and agents type all day. None of it says anything about what a gate should do. */
const lines = [
  'git status',
  'git diff --stat HEAD~3',
  'git log --oneline -20 -- .sekisho',
  'git add -A && git commit -m "chore: move .sekisho/config.yaml to the new layout"',
  'git commit -m "fix: human.token is not read twice"',
  'git commit -m "docs: rm -rf .sekisho does not lose state"',
  "git commit -m 'feat(sekisho): $(date) in `backticks`'",
  'git commit --amend --no-edit',
  'git checkout -b feature/sekisho-hooks',
  'git stash push -- .sekisho',
  'git show HEAD:.sekisho/config.yaml',
  'git grep -n sekisho',
  'git rebase -i HEAD~2',
  'git push origin HEAD:sekisho/state',
  'git clean -nd',
  'git worktree list',
  'git blame .sekisho/config.yaml | head -20',
  "sed 's/.se*//' notes.txt",
  "sed -i 's/sekisho/checkpoint/g' README.md",
  "sed -n '1,80p' src/index.ts",
  "awk -F: '{print $1}' /etc/passwd",
  "perl -pe 's/\\.sekisho\\b/.gate/g' docs/a.md",
  'grep -r --exclude-dir=.sekisho TODO .',
  'grep -rn "human.token" src docs',
  'grep -rE "(\\.sekisho|\\.git)" .gitignore',
  'rg --hidden -g "!.sekisho/**" plan',
  'rg -n "state/user.db" docs',
  'find . -path ./.sekisho -prune -o -name "*.ts" -print',
  'find . -name "*.token" -not -path "*/node_modules/*"',
  'find . -type f -newer package.json',
  'ls -la .sekisho',
  'ls ~/.local/share/sekisho',
  'cat .sekisho/config.yaml',
  'cat .sekisho/processes/*.yaml | head -50',
  'head -5 .claude/settings.json',
  'cat .mcp.json | jq .mcpServers',
  'diff .sekisho/config.yaml /tmp/other.yaml',
  'wc -l .sekisho/processes/a.yaml',
  'stat .sekisho',
  'du -sh .sekisho node_modules',
  'tree -a -I "node_modules|.sekisho"',
  'mkdir -p packages/{sekisho,core}',
  'mkdir -p src/{a,b,c}/{d,e}',
  'touch packages/sekisho/index.ts',
  'cp -r templates/. packages/sekisho/',
  'mv src/sekisho.ts src/gate.ts',
  'rm -rf dist coverage .cache',
  'rm -rf node_modules && npm ci',
  'npm install',
  'npm ci --ignore-scripts',
  'npm test',
  'npm test -- --grep "hook .sekisho"',
  'npm run build && npm run lint',
  'npm run check --silent',
  'npm install --save-dev sekisho',
  'npm pack --dry-run | grep sekisho',
  'npx vitest run test/hook.test.ts',
  'npx tsc --noEmit',
  'npx eslint . --ext .ts --ignore-pattern .sekisho',
  'npx prettier --check "**/*.{ts,md}"',
  'npx -y sekisho --version',
  'pnpm install --frozen-lockfile',
  'pnpm -r test',
  'pnpm --filter ./packages/sekisho build',
  'yarn',
  'yarn workspace sekisho test',
  'bun test',
  'deno task check',
  'pytest -q',
  'pytest tests/test_sekisho.py -k "token and not db"',
  'python -m pytest --ignore=.sekisho',
  'python3 -c "print(1)"',
  "python3 - <<'EOF'\nprint('.sekisho')\nEOF",
  'pip install -e .',
  'uv run ruff check .',
  'tox -e py312',
  'cargo build --release',
  'cargo test -- --nocapture',
  'cargo clippy --all-targets -- -D warnings',
  'go build ./...',
  'go test ./... -run TestSekisho',
  'go vet ./...',
  'make',
  'make test -j4',
  'make -C packages/sekisho all',
  'cmake --build build',
  'ctest --output-on-failure',
  'bundle exec rspec',
  'mvn -q test',
  './gradlew test --tests "*Sekisho*"',
  'dotnet test',
  'docker compose up -d db',
  'docker build -t sekisho:dev .',
  'psql -c "select * from sekisho.runs"',
  'sqlite3 data/app.db ".tables"',
  'sqlite3 test/sekisho.db "select count(*) from journal"',
  'curl -s http://127.0.0.1:9696/health',
  'curl -H "Authorization: Bearer $TOKEN" https://api.example.com/human.token',
  'sekisho gate get-state --json',
  'sekisho status',
  'sekisho journal list --limit 5',
  'sekisho doctor | head -3',
  'echo "see .sekisho/config.yaml" >> NOTES.md',
  'echo ".sekisho/*.db" >> .gitignore',
  'printf "%s\\n" "$HOME" "${XDG_DATA_HOME:-none}"',
  'export PATH="$PWD/node_modules/.bin:$PATH"',
  'for f in src/*.ts; do echo "$f"; done',
  'if [ -d .sekisho ]; then echo yes; fi',
  'cd packages/sekisho && npm test',
  'xargs -a files.txt wc -l',
  'tar czf backup.tgz --exclude .sekisho .',
  'rsync -a --exclude=.sekisho ./ /tmp/copy/',
  'scp build.tgz host:/srv/sekisho/state/',
  'ssh host "systemctl restart sekisho"',
  'kill %1',
  'ps aux | grep sekisho',
  'apply_patch --help',
  'echo "*** Begin Patch" > example.txt',
  'git commit -m "codex: apply_patch through the shell"',
];

/** Files that agents write and read all day. */
const files = [
  'README.md',
  'src/sekisho.ts',
  'packages/sekisho/index.ts',
  'docs/.sekisho.md',
  'sekisho/config.yaml',
  'test/fixtures/settings.json',
  'config/mcp.json',
  '.github/workflows/ci.yml',
  '.github/copilot-instructions.md',
  '.claude/commands/release.md',
  '.claude/agents/reviewer.md',
  '.cursor/rules/style.mdc',
  '.gemini/commands/plan.toml',
  '.opencode/command/test.md',
  '.vscode/launch.json',
  'CLAUDE.md',
  'AGENTS.md',
  'human.token',
  'data/app.db',
  'packages/web/opencode.ts',
];

let hooks: HookWorld;
beforeAll(async () => {
  hooks = await makeHookWorld('build');
  mkdirSync(join(hooks.world.project, 'docs'));
  symlinkSync('docs', join(hooks.world.project, 'manual'));
});
afterAll(() => hooks.close());

test(`${row('hooks.everyday')} there are more than a hundred everyday lines`, () => {
  expect(new Set(lines).size).toBeGreaterThan(100);
});

test.each(shapes)(
  `${row('hooks.everyday')} $asker by the file of $client is never denied an everyday command line where the state permits the shell`,
  async (shape) => {
    const denied: string[] = [];
    for (const line of lines) if (refuses(await hooks.ask(shape.client, shape.shell(line)))) denied.push(line);
    expect(denied).toEqual([]);
  },
);

test.each(shapes)(
  `${row('hooks.everyday')} $asker by the file of $client is never denied an everyday file where the state permits the tool`,
  async (shape) => {
    const denied: string[] = [];
    for (const file of [...files, 'manual/a.md', join(hooks.world.project, 'src/a.ts')])
      for (const call of [
        shape.write(file, 'see .sekisho/config.yaml and .mcp.json'),
        shape.edit(file),
        shape.read(file),
      ])
        if (refuses(await hooks.ask(shape.client, call))) denied.push(JSON.stringify(call));
    // Reading is nobody's business here.
    for (const file of ['.sekisho/config.yaml', '.mcp.json', '.claude/settings.json'])
      if (refuses(await hooks.ask(shape.client, shape.read(file)))) denied.push(file);
    expect(denied).toEqual([]);
  },
);
