/**
 * How much a live capture takes while the viewer follows: `npm run live-bench`.
 *
 * RTOSCOPE_BIN names the program, built for release. RTOSCOPE_BENCH_SECONDS says how long each
 * format is sent, RTOSCOPE_BENCH_RATE how much of it: megabytes a second. RTOSCOPE_BENCH_FORMATS
 * chooses some of them.
 */

import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Browser, expect, type Page, test } from "@playwright/test";
import type { LiveStatus } from "../src/session/wire";
import { LiveServer } from "./support/live";
import { megabytes, memory, spread } from "./support/measure";
import { generator } from "./support/server";

const run = promisify(execFile);

const FORMATS = ["rkh", "threadx", "cswitch"] as const;
type Format = (typeof FORMATS)[number];

const CHOSEN = process.env.RTOSCOPE_BENCH_FORMATS?.split(",") ?? FORMATS;
const SECONDS = Number(process.env.RTOSCOPE_BENCH_SECONDS ?? 30);
const RATE = Number(process.env.RTOSCOPE_BENCH_RATE ?? 20) * 1e6;
/** Interval of the target's transmissions in milliseconds. */
const STEP = 5;
/** Snapshots of a ring, and the number of new slots in each. */
const SNAPSHOTS = 40;
const CAPACITY = 10_000;
const NEW = 4000;

/** Data that a target sends repeatedly. */
async function recorded(kind: Format, folder: string): Promise<Buffer> {
  const generate = async (events: number, options: readonly string[]) => {
    const file = join(folder, `${kind}.bin`);
    await run(generator(), [kind, "--events", String(events), ...options, "-o", file]);
    return readFile(file);
  };
  if (kind === "rkh") return generate(2_000_000, []);
  const snapshots: Buffer[] = [];
  for (let number = 1; number <= SNAPSHOTS; number += 1) {
    snapshots.push(await generate(CAPACITY + number * NEW, ["--capacity", String(CAPACITY)]));
  }
  return Buffer.concat(snapshots);
}

/** Sends at an even rate for a while. Returns the number of bytes. */
async function send(port: number, bytes: Buffer): Promise<number> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  const started = performance.now();
  let sent = 0;
  while (performance.now() - started < SECONDS * 1000) {
    const due = ((performance.now() - started) / 1000) * RATE;
    while (sent < due) {
      const from = sent % bytes.length;
      const part = bytes.subarray(from, Math.min(from + (1 << 16), bytes.length));
      sent += part.length;
      if (!socket.write(part)) await once(socket, "drain");
    }
    await new Promise((resolve) => setTimeout(resolve, STEP));
  }
  const closed = once(socket, "close");
  socket.end();
  await closed;
  return sent;
}

/** Collects the latencies from byte to picture, and the time between frames. */
async function watch(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen = { delays: [] as number[], frames: [] as number[] };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) {
        if (name === "rtoscope:live") seen.delays.push(duration);
      }
    }).observe({ type: "measure" });
    let last = performance.now();
    const frame = (now: number) => {
      seen.frames.push(now - last);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
}

async function measure(browser: Browser, kind: Format, folder: string): Promise<string> {
  const bytes = await recorded(kind, folder);
  const server = await LiveServer.start(["--quiet", "--clock", "1MHz"]);
  const page = await browser.newPage();
  await page.goto(server.url);
  await watch(page);
  const pid = server.pid;
  const sizes: number[] = [];
  const sampling = setInterval(() => {
    void memory(pid, "VmRSS").then((size) => sizes.push(size));
  }, 1000);
  const started = performance.now();
  const sent = await send(server.port, bytes);
  const seconds = (performance.now() - started) / 1000;
  clearInterval(sampling);
  const status = async () =>
    (await fetch(`${server.url}api/traces/1/live?after=0`)).json() as Promise<LiveStatus>;
  await expect(async () => {
    const { bytes: came, queued_bytes: waiting } = await status();
    expect(came).toBe(sent);
    expect(waiting).toBe(0);
  }).toPass();
  const { total_events: events, missing, gaps, invalid_frames: bad } = await status();
  // The last record may be cut off.
  expect(bad).toBeLessThanOrEqual(1);
  const { delays, frames } = await page.evaluate(
    () => (window as unknown as { seen: { delays: number[]; frames: number[] } }).seen,
  );
  await page.close();
  await server.stop();
  const half = sizes.slice(Math.floor(sizes.length / 2));
  const rows = [
    [
      "sent",
      `${megabytes(sent)} in ${seconds.toFixed(1)} s: ${(sent / seconds / 1e6).toFixed(1)} MB/s`,
    ],
    [
      "events",
      `${events} (${(events / seconds / 1e6).toFixed(2)} million/s), ${missing} missing in ${gaps} gaps, ${bad} damaged`,
    ],
    ["byte to picture", spread(delays, "ms")],
    ["between frames", spread(frames, "ms")],
    [
      "resident after half the time, at the end",
      `${megabytes(half[0] ?? 0)}, ${megabytes(sizes.at(-1) ?? 0)}`,
    ],
  ];
  const lines = rows.map(([what, value]) => `| ${what} | ${value} |`);
  return ["", `### ${kind}`, "", "| | |", "|---|---|", ...lines, ""].join("\n");
}

test("live captures", async ({ browser }) => {
  const folder = await mkdtemp(join(tmpdir(), "rtoscope-bench-"));
  try {
    for (const kind of FORMATS.filter((format) => CHOSEN.includes(format))) {
      console.log(await measure(browser, kind, folder));
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
