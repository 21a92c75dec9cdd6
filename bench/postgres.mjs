import pg from 'pg';
import { loadTypeScript } from './product.mjs';

/** The server of the tests, started at the first use and one for the whole run. */
export function postgresOf(product) {
  let starting;
  let databases = 0;
  const start = async () => {
    const { startPostgres } = await loadTypeScript('test/setup/postgres-server.ts', product.home);
    return startPostgres();
  };
  return {
    async freshDatabase() {
      const server = await (starting ??= start());
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
