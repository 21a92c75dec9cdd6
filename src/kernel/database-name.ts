/** Which database, without its password. */
export function databaseName(db: string): string {
  return db.replace(/\/\/[^@/]*@/, '//');
}
