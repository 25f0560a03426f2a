/** Queries in SQL. */

/** A query: the statement and, if it has the parameters of a canned query, their values. */
export interface SqlQuery {
  sql: string;
  named: string | null;
  set: Record<string, string>;
}
