export type Database = 'sqlite' | 'postgres';

const named = (process.env['SEKISHO_TEST_DATABASES'] ?? 'sqlite,postgres').split(',');

/** The databases of this run. The quick tier and a second run on another Node have only SQLite. */
export const databases: readonly Database[] = (['sqlite', 'postgres'] as const).filter((one) => named.includes(one));
