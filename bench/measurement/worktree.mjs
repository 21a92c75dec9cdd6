import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { interleave, summarize } from '../statistics.mjs';

/** Comparing a work tree that was looked at before, against `git status` of the same one, one after the other. */
export const worktree = {
  name: 'worktree',
  async run({ product, quick }) {
    const files = quick ? 10_000 : 100_000;
    const root = mkdtempSync(path.join(tmpdir(), 'sekisho-bench-tree-'));
    const worker = new Worker(path.join(product.home, 'dist', 'tree-worker.cjs'));
    try {
      plant(root, files);
      const { recorded } = await ask(worker, { root, what: 'record' });
      const compare = async () => {
        const started = performance.now();
        const { changes } = await ask(worker, { root, what: 'compare', before: { digest: recorded.digest } });
        if (changes.length > 0) throw new Error('an untouched tree has changed');
        return performance.now() - started;
      };
      const status = () => {
        const started = performance.now();
        spawnSync('git', ['status', '--short'], { cwd: root });
        return performance.now() - started;
      };
      const taken = await interleave({ compare, status }, { rounds: quick ? 5 : 15, deadlineMs: 60_000 });
      return [
        {
          what: `comparing a work tree of ${files.toLocaleString('en')} files again`,
          ...summarize(taken.compare),
          floor: { name: 'git status', ...summarize(taken.status) },
          bar: { ratio: 3 },
        },
      ];
    } finally {
      await worker.terminate();
      rmSync(root, { recursive: true, force: true });
    }
  },
};

let last = 0;

function ask(worker, question) {
  const id = ++last;
  return new Promise((done, fail) => {
    const hear = (answer) => {
      if (answer.id !== id) return;
      worker.off('message', hear);
      if (answer.fault === undefined) done(answer);
      else fail(new Error(answer.fault));
    };
    worker.on('message', hear);
    worker.postMessage({ leaveOut: [], blank: {}, keys: {}, env: { PATH: process.env.PATH }, ...question, id });
  });
}

function plant(root, files) {
  const git = (...args) => spawnSync('git', ['-c', 'user.name=b', '-c', 'user.email=b@b', ...args], { cwd: root });
  git('init', '-q');
  for (let folder = 0; folder < files / 100; folder++) {
    const place = path.join(root, `package-${folder % 20}`, 'src', `module-${folder}`);
    mkdirSync(place, { recursive: true });
    for (let file = 0; file < 100; file++)
      writeFileSync(path.join(place, `file-${file}.ts`), `export const value = ${folder * file};\n`.repeat(5));
  }
  git('add', '-A');
  git('commit', '-qm', 'tree');
}
