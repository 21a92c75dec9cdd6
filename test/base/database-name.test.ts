import { expect, test } from 'vitest';
import { databaseName } from '../../src/base/database-name.ts';

test.for([
  ['/home/me/a@b/sekisho.db', '/home/me/a@b/sekisho.db'],
  ['postgres://db.internal/sekisho', 'postgres://db.internal/sekisho'],
  ['postgres://me:secret@db.internal:5432/sekisho', 'postgres://db.internal:5432/sekisho'],
  ['postgresql://me:p@secret@db.internal/sekisho', 'postgresql://db.internal/sekisho'],
  ['postgres://me:se/secret@db.internal/sekisho?password=secret', 'postgres://db.internal/sekisho'],
  ['postgres://me:se#secret@db.internal/sekisho', 'postgres://db.internal/sekisho'],
  ['postgres://db.internal/sekisho?password=secret', 'postgres://db.internal/sekisho'],
  ['postgres://db.internal/sekisho?user=me&p%61ssword=secret#x', 'postgres://db.internal/sekisho?user=me'],
  ['postgres:///sekisho?host=/run/postgresql&PASSWORD=secret', 'postgres:///sekisho?host=/run/postgresql'],
  ['postgres://db/a?sslmode=require&sslpassword=secret', 'postgres://db/a?sslmode=require'],
])('a database is called by its name, never by its password: %s', ([db, name]) => {
  expect(databaseName(db as string)).toBe(name);
  expect(databaseName(name as string)).toBe(name);
});
