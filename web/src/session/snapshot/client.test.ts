import { describe, expect, it } from "vitest";
import { type Answers, ApiError, type QueryOf, type SessionClient } from "../client";
import type { LanesAnswer } from "../lanes";
import type { Bookmark, Command, Query } from "../wire";
import { SnapshotClient } from "./client";
import { adopt, machineSnapshotOverview, snapshotOverview } from "./fixture";
import { StableIds } from "./stable-ids";

const BASE = { event: 5_000_000_000, time: 1e12 };

/** A server with fixed answers that records all queries and commands. */
function server(answers: Partial<Answers>) {
  const asked: { snapshot: number; query: Query }[] = [];
  const commands: Command[] = [];
  const way = (_: number, snapshot: number): SessionClient => ({
    query: <A extends Query["query"]>(query: QueryOf<A>) => {
      asked.push({ snapshot, query });
      return Promise.resolve(structuredClone(answers[query.query as A]) as Answers[A]);
    },
    command: (command) => {
      commands.push(command);
      return Promise.resolve();
    },
  });
  const client = new SnapshotClient(1, () => Promise.resolve(), way);
  const names = new StableIds();
  // The stable identifiers differ from those of the snapshot: a is 3 and b is 4, in the snapshot
  // the other way round.
  names.adopt(snapshotOverview(["a", "b"]));
  client.snapshot = adopt(names, 9, snapshotOverview(["b", "a"], { base: BASE, events: 100 }));
  return { asked, commands, client };
}

describe("questions", () => {
  it("count from the start of the snapshot", async () => {
    const { asked, client } = server({
      locate: null,
      posts: { total: 0, posts: [] },
      event: null,
      step: null,
    });
    await client.query<"locate">({ query: "locate", axis: "time", at: BASE.time + 70 });
    await client.query<"posts">({
      query: "posts",
      window: { axis: "index", start: BASE.event - 5, end: BASE.event + 5 },
      limit: 3,
    });
    await client.query<"event">({ query: "event", event: BASE.event + 7 });
    await client.query<"step">({
      query: "step",
      from: BASE.event - 3,
      direction: "next",
      by: { mode: "context", context: 4 },
    });
    expect(asked).toEqual([
      { snapshot: 9, query: { query: "locate", axis: "time", at: 70 } },
      {
        snapshot: 9,
        query: { query: "posts", window: { axis: "index", start: -5, end: 5 }, limit: 3 },
      },
      { snapshot: 9, query: { query: "event", event: 7 } },
      {
        snapshot: 9,
        query: { query: "step", from: 0, direction: "next", by: { mode: "context", context: 3 } },
      },
    ]);
  });

  it("about rows start at the snapshot; those about hits are unchanged", async () => {
    const { asked, client } = server({ events: { total: 0, rows: [] } });
    const search = { filter: "core == 0" };
    await client.query<"events">({
      query: "events",
      offset: BASE.event - 50,
      limit: 200,
      search: null,
    });
    await client.query<"events">({ query: "events", offset: 40, limit: 200, search });
    expect(asked.map(({ query }) => query)).toEqual([
      { query: "events", offset: 0, limit: 150, search: null },
      { query: "events", offset: 40, limit: 200, search },
    ]);
  });

  it("about something that the snapshot lacks get an empty answer or an error", async () => {
    const { asked, client } = server({});
    const window = { axis: "time", start: 0, end: 1 } as const;
    expect(
      await client.query<"step">({
        query: "step",
        from: 0,
        direction: "next",
        by: { mode: "context", context: 99 },
      }),
    ).toBeNull();
    expect(
      await client.query<"history">({ query: "history", object: 3, offset: 0, limit: 1 }),
    ).toEqual({
      total: 0,
      rows: [],
    });
    expect(
      await client.query<"graph">({
        query: "graph",
        source: { kind: "level", resource: 8 },
        window,
        width: 9,
      }),
    ).toMatchObject({ positions: [] });
    await expect(client.query<"event">({ query: "event", event: BASE.event - 1 })).rejects.toThrow(
      /older/,
    );
    expect(asked).toEqual([]);
  });

  it("wait for the first snapshot", async () => {
    const { client, asked } = server({ locate: null });
    const { snapshot } = client;
    client.snapshot = null;
    const stop = new AbortController();
    const taken = client.query<"locate">({ query: "locate", axis: "time", at: 0 }, stop.signal);
    stop.abort();
    await expect(taken).rejects.toThrow();
    const answer = client.query<"locate">({ query: "locate", axis: "time", at: BASE.time });
    expect(asked).toEqual([]);
    client.snapshot = snapshot;
    expect(await answer).toBeNull();
    expect(asked).toHaveLength(1);
  });

  it("are sent to another snapshot if theirs is gone", async () => {
    const asked: number[] = [];
    const names = new StableIds();
    const client: SnapshotClient = new SnapshotClient(
      1,
      () => {
        client.snapshot = adopt(
          names,
          12,
          snapshotOverview(["a"], { base: { event: 50, time: 500 } }),
        );
        return Promise.resolve();
      },
      (_, snapshot) => ({
        query: <A extends Query["query"]>(query: QueryOf<A>) => {
          asked.push(snapshot);
          return snapshot === 9
            ? Promise.reject(new ApiError("gone", 410))
            : Promise.resolve({
                event: 1,
                time: 2,
                context: 3,
                kind: 4,
                asked: query,
              } as unknown as Answers[A]);
        },
        command: () => Promise.resolve(),
      }),
    );
    client.snapshot = adopt(names, 9, snapshotOverview(["a"], { base: { event: 10, time: 100 } }));
    const place = await client.query<"locate">({ query: "locate", axis: "time", at: 510 });
    expect(asked).toEqual([9, 12]);
    expect(place).toMatchObject({ event: 51, time: 502, asked: { at: 10 } });
  });
});

describe("answers", () => {
  it("have positions in the whole recording and stable identifiers", async () => {
    const row = { event: 2, time: 20, core: 0, context: 3, kind: 7, name: "", arguments: "" };
    const { client } = server({
      locate: { event: 5, time: 50, context: 3, kind: 7 },
      events: { total: 100, rows: [row] },
      posts: {
        total: 1,
        posts: [
          {
            event: 1,
            time: 10,
            sender_context: 3,
            sender_name: "b",
            receiver: 4,
            signal: 1,
            signal_name: "S",
            front: false,
            recalled: false,
            step_event: 2,
            step_time: null,
          },
        ],
      },
      graph: { positions: [0, 10], min: [1, 2], max: [1, 2], limit: null },
      "cpu-load": {
        positions: [0, 10],
        times: [0, 10],
        cores: 1,
        contexts: [
          { kind: "thread", name: "b", context: 3, ticks: [4] },
          { kind: "idle", name: "(idle)", context: null, ticks: [6] },
        ],
      },
      report: {
        schema: "rtoscope/report/1",
        events: 100,
        start_ticks: 0,
        end_ticks: 9,
        span_ticks: 9,
        findings: [{ event: 3, message: "" }, { event: null }],
        latency: { max_interrupt_burst: { start_ticks: 4, ticks: 5, first_event: 1 } },
        load: { start_ticks: [0, 5], end_ticks: 9, events: [4, 4] },
        health: { gaps: [{ before_event: 6, missing: 2 }], coverage: { first_ticks: null } },
      },
      sequence: { text: '<g data-event="7" id="data-event"/>', shown: 1, skipped: 0 },
      communication: {
        text: 'n0 [class="context-3"];\nn0 -> n1 [label="class=\\"event-1\\"", class="event-7"];',
        shown: 3,
        skipped: 0,
      },
      bookmarks: [{ event: 4, note: "x" }],
    });
    const window = { axis: "time", start: 0, end: 1 } as const;
    expect(await client.query<"locate">({ query: "locate", axis: "time", at: 0 })).toEqual({
      event: BASE.event + 5,
      time: BASE.time + 50,
      context: 4,
      kind: 7,
    });
    expect(
      (
        await client.query<"events">({
          query: "events",
          offset: BASE.event,
          limit: 9,
          search: null,
        })
      ).rows,
    ).toEqual([{ ...row, event: BASE.event + 2, time: BASE.time + 20, context: 4 }]);
    expect((await client.query<"posts">({ query: "posts", window, limit: 9 })).posts).toMatchObject(
      [
        {
          event: BASE.event + 1,
          time: BASE.time + 10,
          sender_context: 4,
          receiver: 3,
          step_event: BASE.event + 2,
          step_time: null,
        },
      ],
    );
    expect(
      (
        await client.query<"graph">({
          query: "graph",
          source: { kind: "load", core: null },
          window,
          width: 9,
        })
      ).positions,
    ).toEqual([BASE.time, BASE.time + 10]);
    const load = { query: "cpu-load", core: null, width: 1, limit: 9 } as const;
    expect(await client.query<"cpu-load">({ ...load, window })).toEqual({
      positions: [BASE.time, BASE.time + 10],
      times: [BASE.time, BASE.time + 10],
      cores: 1,
      contexts: [
        { kind: "thread", name: "b", context: 4, ticks: [4] },
        { kind: "idle", name: "(idle)", context: null, ticks: [6] },
      ],
    });
    const byEvent = await client.query<"cpu-load">({
      ...load,
      window: { axis: "index", start: 0, end: 1 },
    });
    expect(byEvent.positions).toEqual([BASE.event, BASE.event + 10]);
    const report = {
      query: "report",
      kinds: [],
      start: null,
      end: null,
      threads: null,
      core: null,
      context: null,
      tables: false,
    } as const;
    expect(await client.query<"report">({ ...report, kinds: [] })).toEqual({
      schema: "rtoscope/report/1",
      events: 100,
      start_ticks: BASE.time,
      end_ticks: BASE.time + 9,
      span_ticks: 9,
      findings: [{ event: BASE.event + 3, message: "" }, { event: null }],
      latency: {
        max_interrupt_burst: { start_ticks: BASE.time + 4, ticks: 5, first_event: BASE.event + 1 },
      },
      load: { start_ticks: [BASE.time, BASE.time + 5], end_ticks: BASE.time + 9, events: [4, 4] },
      health: {
        gaps: [{ before_event: BASE.event + 6, missing: 2 }],
        coverage: { first_ticks: null },
      },
    });
    const sequence = {
      query: "sequence",
      window,
      objects: [],
      format: "svg",
      states: true,
      actions: true,
      timers: true,
      limit: 9,
    } as const;
    expect((await client.query<"sequence">({ ...sequence, objects: [] })).text).toBe(
      `<g data-event="${BASE.event + 7}" id="data-event"/>`,
    );
    const communication = {
      query: "communication",
      start: null,
      end: null,
      format: "dot",
    } as const;
    expect((await client.query<"communication">(communication)).text).toBe(
      `n0 [class="context-3"];\nn0 -> n1 [label="class=\\"event-1\\"", class="event-${BASE.event + 7}"];`,
    );
    expect(await client.query<"bookmarks">({ query: "bookmarks" })).toEqual([
      { event: BASE.event + 4, note: "x" },
    ]);
  });

  it("about lanes have exact events, stable thread identifiers and empty lanes where the snapshot has none", async () => {
    const bars = {
      listed: true as const,
      start: new Float32Array([0, 5]),
      end: new Float32Array([5, 9]),
      event: new Uint32Array([1, 2]),
      subject: new Uint32Array([3, 8]),
      class: new Uint8Array([20, 8]),
    };
    const events = {
      listed: true as const,
      x: new Float32Array([1]),
      event: new Uint32Array([3]),
      kind: new Uint32Array([1]),
    };
    const lanes: LanesAnswer = {
      width: 10,
      start: 0,
      end: 10,
      bytes: 0,
      lanes: [{ lane: 0, bars, events, hits: null }],
      switches: {
        x: new Float32Array([1]),
        from: new Uint32Array([3]),
        to: new Uint32Array([0xffffffff]),
        event: new Uint32Array([4]),
      },
      wakes: null,
      inversions: null,
      gaps: null,
      inversionShares: [],
      hits: null,
    };
    const { client, asked } = server({ lanes });
    const answer = await client.query<"lanes">({
      query: "lanes",
      window: { axis: "index", start: BASE.event, end: BASE.event + 10 },
      width: 10,
      lanes: [0, 5, 77],
      search: null,
    });
    expect(asked[0]?.query).toMatchObject({ window: { start: 0, end: 10 }, lanes: [0, 6] });
    expect([answer.start, answer.end]).toEqual([BASE.event, BASE.event + 10]);
    const [shown, missing] = answer.lanes;
    expect(shown?.bars.listed && [...shown.bars.event]).toEqual([BASE.event + 1, BASE.event + 2]);
    // The running context is a thread; the object waited for is not.
    expect(shown?.bars.listed && [...shown.bars.subject]).toEqual([4, 8]);
    expect(shown?.events.listed && [...shown.events.event]).toEqual([BASE.event + 3]);
    expect(missing).toMatchObject({ lane: 77, bars: { listed: true }, events: { listed: true } });
    expect([...(answer.switches?.from ?? []), ...(answer.switches?.to ?? [])]).toEqual([
      4, 0xffffffff,
    ]);
  });

  it("about state machines have stable state identifiers and colours", async () => {
    const names = new StableIds();
    names.adopt(machineSnapshotOverview(["m"], ["idle", "busy"]));
    const snapshot = adopt(names, 2, machineSnapshotOverview(["m"], ["busy", "idle"]));
    const lane = snapshot.overview.lanes.findIndex(({ kind }) => kind === "machine");
    const answer: LanesAnswer = {
      width: 2,
      start: 0,
      end: 2,
      bytes: 0,
      switches: null,
      wakes: null,
      inversions: null,
      gaps: null,
      inversionShares: [],
      hits: null,
      lanes: [
        {
          lane,
          events: { listed: false, density: new Uint8Array(2) },
          hits: null,
          bars: {
            listed: true,
            start: new Float32Array(2),
            end: new Float32Array(2),
            event: new Uint32Array(2),
            subject: new Uint32Array([0, 1]),
            class: new Uint8Array([28, 29]),
          },
        },
      ],
    };
    const client = new SnapshotClient(
      1,
      () => Promise.resolve(),
      () => ({
        query: <A extends Query["query"]>() => Promise.resolve(answer as unknown as Answers[A]),
        command: () => Promise.resolve(),
      }),
    );
    client.snapshot = snapshot;
    const shown = (
      await client.query<"lanes">({
        query: "lanes",
        window: { axis: "time", start: 0, end: 2 },
        width: 2,
        lanes: [lane],
        search: null,
      })
    ).lanes[0];
    expect(shown?.bars.listed && [[...shown.bars.subject], [...shown.bars.class]]).toEqual([
      [1, 0],
      [29, 28],
    ]);
  });
});

it("bookmarks are sent with event numbers of the snapshot, if it has their events", async () => {
  const { client, commands } = server({});
  const bookmarks: Bookmark[] = [-1, 0, 99, 100].map((event) => ({
    event: BASE.event + event,
    note: "",
  }));
  // Ranges need both ends.
  for (const event of [99, 100]) {
    bookmarks.push({ event: BASE.event + 98, end: { event: BASE.event + event }, note: "" });
  }
  await client.command({ command: "bookmarks", bookmarks });
  expect(commands).toEqual([
    {
      command: "bookmarks",
      bookmarks: [
        { event: 0, note: "" },
        { event: 99, note: "" },
        { event: 98, end: { event: 99 }, note: "" },
      ],
    },
  ]);
});
