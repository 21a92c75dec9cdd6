import path from 'node:path';
import { tmpdir } from 'node:os';
import * as esbuild from 'esbuild';
import pg from 'pg';
import { temporaryFolder } from './clean-up.mjs';

/** The PostgreSQL server of the tests. It starts at the first use and serves the whole run. */
export function lazyPostgres() {
  let starting;
  let databases = 0;
  return {
    async freshDatabase() {
      const server = await (starting ??= startServer());
      databases += 1;
      const client = new pg.Client({ connectionString: server.url });
      await client.connect();
      await client.query(`create database bench_${databases}`);
      await client.end();
      return server.url.replace(/[^/]*$/, `bench_${databases}`);
    },
    async close() {
      await (await starting?.catch(() => undefined))?.remove();
    },
  };
}

/** The tests' helper is TypeScript, which Node 20 cannot load. */
async function startServer() {
  const source = path.join(import.meta.dirname, '../test/setup/postgres-server.ts');
  const outfile = path.join(temporaryFolder(path.join(tmpdir(), 'sekisho-bench-')), 'postgres-server.mjs');
  await esbuild.build({
    entryPoints: [source],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    define: { 'import.meta.url': JSON.stringify(`file://${source}`) },
  });
  const { startPostgres } = await import(outfile);
  return startPostgres();
}
