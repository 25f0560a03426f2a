import { describe, expect, it } from "vitest";
import { type Answers, ApiError, type QueryOf, type SessionClient } from "./client";
import { SnapshotClient } from "./snapshot-client";
import type { Query } from "./wire";

/** A client of a live trace whose snapshot 9 is gone, and the snapshots that are queried. */
function clientOf(): { client: SnapshotClient; asked: number[] } {
  const asked: number[] = [];
  const client: SnapshotClient = new SnapshotClient(
    1,
    () => {
      client.snapshot = 12;
      return Promise.resolve();
    },
    (_, snapshot): SessionClient => ({
      query: <A extends Query["query"]>(query: QueryOf<A>) => {
        if (snapshot !== undefined) asked.push(snapshot);
        return snapshot === 9
          ? Promise.reject(new ApiError("gone", 410))
          : Promise.resolve({ query } as unknown as Answers[A]);
      },
      command: () => Promise.resolve(),
    }),
  );
  return { client, asked };
}

describe("queries", () => {
  const query = { query: "locate", axis: "time", at: 510 } as const;

  it("wait for the first snapshot", async () => {
    const { client, asked } = clientOf();
    const stop = new AbortController();
    const taken = client.query<"locate">(query, stop.signal);
    stop.abort();
    await expect(taken).rejects.toThrow();
    const answer = client.query<"locate">(query);
    expect(asked).toEqual([]);
    client.snapshot = 12;
    expect(await answer).toEqual({ query });
    expect(asked).toEqual([12]);
  });

  it("are sent to another snapshot if theirs is gone", async () => {
    const { client, asked } = clientOf();
    client.snapshot = 9;
    expect(await client.query<"locate">(query)).toEqual({ query });
    expect(asked).toEqual([9, 12]);
  });
});
