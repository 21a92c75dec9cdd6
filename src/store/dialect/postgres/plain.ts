import pg from 'pg';
import type { Statement } from './statements.ts';

/** The columns of one row as the server sent them. */
export type Fields = readonly (string | null)[];

/** What the driver calls while it reads the answer. */
interface Hears {
  handleRowDescription(): void;
  handleDataRow(message: { readonly fields: Fields }): void;
}

/**
 * A statement of which is known that it gives texts, and which: what the driver would make of their names and types costs more
 * than all else that it does.
 */
class Plain extends pg.Query implements Hears {
  declare name: string | undefined;
  declare text: string;
  declare values: Statement['values'];
  declare callback: (error?: Error | null) => void;
  readonly found: Fields[] = [];

  constructor({ name, text, values }: Statement, callback: (error?: Error | null) => void) {
    super('');
    this.name = name;
    this.text = text;
    this.values = values;
    this.callback = callback;
  }

  handleRowDescription(): void {}

  handleDataRow({ fields }: { readonly fields: Fields }): void {
    this.found.push(fields);
  }
}

export function askPlain(client: pg.ClientBase, statement: Statement): Promise<readonly Fields[]> {
  return new Promise((resolve, reject) => {
    const query = new Plain(statement, (error) => (error == null ? resolve(query.found) : reject(error)));
    client.query(query);
  });
}
