import { expect, it } from "vitest";
import type { EventRow, EventRows } from "../../session/wire";
import { RowCache } from "./row-cache";

const row = (event: number): EventRow => ({
  event,
  time: event,
  core: 0,
  context: 0,
  kind: 0,
  name: "",
  arguments: "",
});

function server() {
  const asked: number[] = [];
  const aborted: number[] = [];
  const waiting: (() => void)[] = [];
  const fetch = (from: number, count: number, signal: AbortSignal) =>
    new Promise<EventRows>((resolve, reject) => {
      asked.push(from);
      signal.addEventListener("abort", () => {
        aborted.push(from);
        reject(signal.reason);
      });
      waiting.push(() =>
        resolve({ total: 1e6, rows: Array.from({ length: count }, (_, at) => row(from + at)) }),
      );
    });
  const answer = async () => {
    for (const one of waiting.splice(0)) one();
    await new Promise((done) => setTimeout(done));
  };
  return { asked, aborted, fetch, answer };
}

it("fetches visible pages once", async () => {
  const { asked, fetch, answer } = server();
  const pages = new RowCache(fetch, () => {});
  pages.request(190, 210);
  pages.request(191, 211);
  expect(asked).toEqual([0, 200]);
  expect(pages.row(195)).toBeNull();
  await answer();
  expect(pages.row(195)?.event).toBe(195);
  expect(pages.row(205)?.event).toBe(205);
  pages.request(0, 400);
  expect(asked).toEqual([0, 200]);
  expect(pages.version.value).toBe(2);
});

it("aborts pages that are scrolled out of view", async () => {
  const { asked, aborted, fetch, answer } = server();
  const pages = new RowCache(fetch, () => {});
  pages.request(0, 20);
  pages.request(100_000, 100_020);
  expect(aborted).toEqual([0]);
  await answer();
  await answer();
  expect(asked).toEqual([0, 100_000]);
  expect(pages.row(100_001)?.event).toBe(100_001);
});

it("limits the number of cached pages", async () => {
  const { fetch, answer } = server();
  const pages = new RowCache(fetch, () => {});
  for (let page = 0; page < 60; page += 1) {
    pages.request(page * 200, page * 200 + 1);
    await answer();
  }
  expect(pages.row(0)).toBeNull();
  expect(pages.row(59 * 200)?.event).toBe(59 * 200);
});

it("reports an error once and does not retry forever", async () => {
  const errors: unknown[] = [];
  const pages = new RowCache(
    () => Promise.reject(new Error("no")),
    (error) => errors.push(error),
  );
  pages.request(0, 20);
  await new Promise((done) => setTimeout(done));
  expect(errors).toHaveLength(1);
});

it("follows a table that grows faster than its rows arrive", async () => {
  const { asked, aborted, fetch, answer } = server();
  const pages = new RowCache(fetch, () => {});
  pages.follow(1000, 30);
  pages.follow(1100, 30);
  pages.follow(1205, 30);
  expect(pages.loadedEnd.value).toBeNull();
  await answer();
  expect(pages.loadedEnd.value).toBe(1000);
  expect(pages.row(999)?.event).toBe(999);
  await answer();
  expect(pages.loadedEnd.value).toBe(1205);
  // On both sides of the border between two pages.
  expect([1175, 1199, 1200, 1204].map((at) => pages.row(at)?.event)).toEqual([
    1175, 1199, 1200, 1204,
  ]);
  expect([1174, 1205].map((at) => pages.row(at))).toEqual([null, null]);
  expect(asked).toEqual([970, 1175]);
  // The rest of these pages is still fetched when it becomes visible.
  pages.request(1000, 1200, 1205);
  expect(asked).toEqual([970, 1175, 1000]);
  expect(aborted).toEqual([]);
});

it("follows again after an error", async () => {
  const errors: unknown[] = [];
  const { fetch, answer } = server();
  let fails = true;
  const pages = new RowCache(
    (...range) => (fails ? Promise.reject(new Error("no")) : fetch(...range)),
    (error) => errors.push(error),
  );
  pages.follow(100, 30);
  await answer();
  expect(errors).toHaveLength(1);
  fails = false;
  pages.follow(200, 30);
  await answer();
  expect(pages.loadedEnd.value).toBe(200);
});
