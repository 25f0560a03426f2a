/** SQL queries, which the server passes on to a program of their own. */

import { expectOk, jsonPost } from "./client";
import { request } from "./connection";
import type { SqlAnswer, SqlRequest } from "./sql";

/** An answer; `unavailable` is the reason why a trace cannot be queried. */
export type SqlReply = SqlAnswer | { unavailable: string };

/** Sends a request. The program stops when it is aborted. */
export async function askSql(
  trace: number,
  question: SqlRequest,
  signal?: AbortSignal,
): Promise<SqlReply> {
  const response = await request(`api/traces/${trace}/sql`, jsonPost(question, signal));
  return (await expectOk(response)).json() as Promise<SqlReply>;
}
