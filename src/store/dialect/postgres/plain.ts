import pg from 'pg';
import type { Value } from '../../../kernel/store.ts';
import type { Statement } from './statements.ts';

/** The columns of one row as the server sent them. */
export type Fields = readonly (string | null)[];

/** What the driver calls while it reads the answer. */
interface Hears {
  handleRowDescription(): void;
  handleDataRow(message: { readonly fields: Fields }): void;
}

/** A connection as the driver's own statements use it. */
interface Wire {
  bind(one: {
    readonly statement: string | undefined;
    readonly values: Statement['values'];
    valueMapper(value: Value): string | null;
  }): void;
  execute(): void;
  sync(): void;
}

/** What the driver calls to send a statement. It is not among its published types. */
interface Sends {
  hasBeenParsed(connection: Wire): boolean;
  prepare(connection: Wire): void;
}

const Query = pg.Query as unknown as new (text: string) => pg.Query & Sends;

/**
 * A statement of which is known that it gives texts, and which: what the driver would make of their names and types costs more
 * than all else that it does. So the server need not describe them either, once it knows the statement.
 */
class Plain extends Query implements Hears {
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

  override prepare(connection: Wire): void {
    const { name, values } = this;
    if (!this.hasBeenParsed(connection) || values.some(isList)) return super.prepare(connection);
    connection.bind({ statement: name, values, valueMapper: textOf });
    connection.execute();
    connection.sync();
  }

  handleRowDescription(): void {}

  handleDataRow({ fields }: { readonly fields: Fields }): void {
    this.found.push(fields);
  }
}

function isList(value: Statement['values'][number]): boolean {
  return typeof value === 'object' && value !== null;
}

function textOf(value: Value): string | null {
  return value === null || typeof value === 'string' ? value : String(value);
}

export function askPlain(client: pg.ClientBase, statement: Statement): Promise<readonly Fields[]> {
  return new Promise((resolve, reject) => {
    const query = new Plain(statement, (error) => (error == null ? resolve(query.found) : reject(error)));
    client.query(query);
  });
}
