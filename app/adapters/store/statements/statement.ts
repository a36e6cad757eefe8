/**
 * SQL with its values. The first is `$1`, and each is named once, in order: so both databases understand the same text, for SQLite numbers
 * its parameters by where they stand.
 */
export interface Statement {
  text: string;
  values: unknown[];
}

export type Row = Record<string, unknown>;

/** What runs statements: the database, each by itself, or one transaction. */
export interface Runner {
  rows(statement: Statement): Promise<Row[]>;
  /** Resolves to how many rows were written. */
  write(statement: Statement): Promise<number>;
}

/** A database of one kind. */
export interface Engine {
  /** Outside of transactions. */
  root: Runner;
  /**
   * Runs `work` in one transaction, which is rolled back when `work` rejects. Where other processes write, it waits until it is the shop's
   * turn among theirs; null is every shop's turn.
   */
  transaction<T>(shop: string | null, work: (runner: Runner) => Promise<T>): Promise<T>;
  /** Transactions that may run at once. */
  most: number;
}
