import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ApiError } from "../../session/client";
import type { LiveClient, WatchRequest } from "../../session/live-client";
import type { LiveStatus } from "../../session/wire";
import { statusOf } from "./fixture";
import { type PollTarget, StatusPoller } from "./status-poller";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A watch request that the test answers. */
function watch(looking: PollTarget = { hold: null, isVisible: true }) {
  const asked: WatchRequest[] = [];
  const answers: { resolve: (status: LiveStatus) => void; reject: (error: Error) => void }[] = [];
  const recording = {
    watch: (waiting: WatchRequest, signal: AbortSignal) =>
      new Promise<LiveStatus>((resolve, reject) => {
        asked.push(waiting);
        answers.push({ resolve, reject });
        signal.addEventListener("abort", () => reject(new Error("aborted")));
      }),
  } as unknown as LiveClient;
  const taken: number[] = [];
  const watching = new StatusPoller(
    recording,
    () => looking,
    (status) => {
      taken.push(status.snapshot);
      return Promise.resolve();
    },
  );
  watching.start();
  const pass = (time: number) => vi.advanceTimersByTimeAsync(time);
  const answer = async (changes: Partial<LiveStatus>) => {
    answers.at(-1)?.resolve(statusOf(changes));
    await pass(0);
  };
  const fail = async (error: Error) => {
    answers.at(-1)?.reject(error);
    await pass(0);
  };
  return { asked, taken, watching, looking, pass, answer, fail };
}

it("polls for anything newer than the last answer", async () => {
  const { asked, taken, pass, answer, watching } = watch();
  await answer({ snapshot: 4, version: 11 });
  await pass(20);
  expect(asked).toEqual([
    { after: 0, version: 0, hold: null },
    { after: 4, version: 11, hold: null },
  ]);
  expect(taken).toEqual([4]);
  expect(watching.status.value?.snapshot).toBe(4);
});

it("polls less often while a snapshot is held or the page is hidden", async () => {
  const { asked, looking, pass, answer, watching } = watch({ hold: 7, isVisible: true });
  await answer({ snapshot: 4 });
  await pass(100);
  expect(asked).toHaveLength(1);
  await pass(300);
  expect(asked[1]?.hold).toBe(7);
  looking.isVisible = false;
  looking.hold = null;
  watching.pollNow();
  await pass(0);
  // Polls the status, without requesting a snapshot.
  expect(asked[2]?.hold).toBe(0);
  await answer({ snapshot: 5 });
  await pass(2000);
  expect(asked).toHaveLength(3);
  looking.isVisible = true;
  watching.pollNow();
  await pass(0);
  expect(asked).toHaveLength(4);
});

it("reconnects with growing pauses, even to a server that counts from 0", async () => {
  const { asked, pass, answer, fail, watching } = watch();
  await answer({ snapshot: 40, version: 9 });
  await pass(20);
  const pauses: number[] = [];
  for (let turn = 0; turn < 8; turn += 1) {
    const before = asked.length;
    await fail(new TypeError("no connection"));
    expect(watching.outage.value).toMatch(/does not answer/);
    let pause = 0;
    while (asked.length === before) {
      await pass(50);
      pause += 50;
    }
    pauses.push(pause);
  }
  expect(pauses).toEqual([250, 500, 1000, 2000, 4000, 8000, 8000, 8000]);
  expect(asked.at(-1)).toEqual({ after: 0, version: 0, hold: null });
  await answer({ snapshot: 1 });
  expect(watching.outage.value).toBeNull();
  await pass(20);
  await fail(new TypeError("no connection"));
  const before = asked.length;
  await pass(250);
  expect(asked.length).toBe(before + 1);
});

it("gives up a recording that the server no longer has", async () => {
  const { asked, pass, fail, watching } = watch();
  await fail(new ApiError("there is no open trace", 404));
  await pass(60_000);
  expect(asked).toHaveLength(1);
  expect(watching.outage.value).toMatch(/no longer has/);
});

it("ends when it is stopped", async () => {
  const { asked, pass, watching } = watch();
  watching.stop();
  await pass(60_000);
  expect(asked).toHaveLength(1);
  expect(vi.getTimerCount()).toBe(0);
});
