import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { World } from './world.ts';
import { inOneWorld } from './world.ts';

const root = join(import.meta.dirname, '../..');

/** The shell blocks of the tour, one after the other, as a reader would type them. */
function tour(paper: string): string {
  const text = readFileSync(join(root, paper), 'utf8');
  const section = /^## (?:A five-minute tour|5 分で試す)\n(.*?)^## /ms.exec(text)?.[1] ?? '';
  return [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map((match) => match[1] ?? '').join('\n');
}

function shell(world: World, script: string): Promise<{ output: string; errors: string }> {
  return new Promise((done) => {
    const { SEKISHO_DB: _own, ...env } = world.env;
    const child = spawn('bash', ['-c', script], { cwd: root, env: { ...env, LANG: 'C.UTF-8' } });
    let output = '';
    let errors = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    child.stdin.end();
    child.once('close', () => done({ output, errors }));
  });
}

describe('the tour of the README', () => {
  inOneWorld('stdio', 'sqlite', (test) => {
    test.for(['README.md', 'README.ja.md'])('does what %s says', async (paper, { world }) => {
      const { output, errors } = await shell(world, `HOME=$(mktemp -d -p "$HOME")\n${tour(paper)}`);
      expect(errors).toBe('');
      expect(output).toContain('Prepared: ');
      expect(output.match(/"code":"GUARD_FAILED"/g)).toHaveLength(1);
      // The same question twice: denied first, then no opinion.
      expect(output.match(/"permissionDecision":"deny"/g)).toHaveLength(1);
      expect(output.match(/"permissionDecision"/g)).toHaveLength(1);
      expect(output).toContain('"transition":{"from_state":"explore","to_state":"plan"}');
      expect(output).toContain('"transition":{"from_state":"plan","to_state":"implement"}');
      expect(output).toContain('stateDiagram-v2');
      expect(output).toContain('All as it was written');
    });
  });
});
