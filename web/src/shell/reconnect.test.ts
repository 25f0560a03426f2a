// @vitest-environment jsdom

import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { fakeTrace } from "../panels/fixture";
import { sessionClient } from "../session/client";
import { connection, request, ServerUnreachable } from "../session/connection";
import type { Overview } from "../session/wire";
import { TraceState } from "../state/trace";
import { activeId, notice, showError, traces } from "../state/viewer";
import { fitToPaper } from "./printing";
import { reconnect } from "./reconnect";

/** Traces of the server by id. */
let open: Record<number, Overview> = {};

beforeEach(() => {
  vi.stubGlobal("fetch", async (at: string, init?: RequestInit) => {
    if (at === "api/traces") {
      const listed = Object.entries(open).map(([id, { name }]) => ({
        id: Number(id),
        name,
        live: false,
      }));
      return new Response(JSON.stringify(listed));
    }
    if (at.endsWith("/progress")) return new Response("null");
    const id = Number(/^api\/traces\/(\d+)\/query/.exec(at)?.[1]);
    const { query } = JSON.parse(String(init?.body)) as { query: string };
    return new Response(JSON.stringify(query === "overview" ? open[id] : []));
  });
});

afterEach(() => {
  traces.value = [];
  activeId.value = null;
  notice.value = null;
  connection.value = "open";
  vi.unstubAllGlobals();
});

function show(...overviews: Overview[]): void {
  open = Object.fromEntries(overviews.map((overview, at) => [at + 1, overview]));
  traces.value = overviews.map(
    (overview, at) => new TraceState(at + 1, overview, sessionClient(at + 1)),
  );
  activeId.value = 1;
}

it("reports traces that are gone", async () => {
  const { overview } = fakeTrace();
  show({ ...overview, name: "a" }, { ...overview, name: "dropped" });
  delete open[2];
  await reconnect(true);
  expect(traces.value).toHaveLength(1);
  expect(notice.value).toContain("dropped");
});

it("distinguishes an unreachable server from an aborted query", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  const stop = new AbortController();
  stop.abort();
  await expect(request("api/traces", { signal: stop.signal })).rejects.toThrow("Failed to fetch");
  expect(connection.value).toBe("open");
  await expect(request("api/traces")).rejects.toThrow(ServerUnreachable);
  expect(connection.value).toBe("lost");
  // The banner is shown, not a temporary notice.
  showError(new ServerUnreachable());
  expect(notice.value).toBeNull();
});

it("scales pages of any shape to the paper", () => {
  for (const [width, height] of [
    [1440, 900],
    [1007, 740],
    [400, 800],
    [3840, 1000],
  ] as const) {
    const { zoom } = fitToPaper(width, height);
    expect(width * zoom).toBeLessThanOrEqual(979.01);
    expect(height * zoom).toBeLessThanOrEqual(714.01);
  }
});
