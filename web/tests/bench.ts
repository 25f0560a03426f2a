/**
 * Performance of the viewer on large traces: `npm run bench`.
 *
 * RTOSCOPE_BIN is the program, built for release. RTOSCOPE_BENCH_EVENTS is a comma-separated list
 * of event counts; RTOSCOPE_BENCH_FILES a list of traces to use instead; RTOSCOPE_BENCH_SECONDS the
 * time to navigate in each, once plainly and once with profiling.
 */

import { execFile } from "node:child_process";
import { createReadStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { type Browser, expect, type Page, test } from "@playwright/test";
import { FRAME, megabytes, memory, scriptPerFrame, spread } from "./support/measure";
import { generator, Server } from "./support/server";
import { Timeline } from "./support/timeline";

const run = promisify(execFile);

const SIZES = (process.env.RTOSCOPE_BENCH_EVENTS ?? "1000000,10000000").split(",");
const FILES = process.env.RTOSCOPE_BENCH_FILES?.split(",") ?? [];
const SECONDS = Number(process.env.RTOSCOPE_BENCH_SECONDS ?? 20);
/** Minimum number of visible lanes. */
const LANES = 35;
const VIEWPORT = { width: 1600, height: 1340 };

interface Result {
  title: string;
  rows: [string, string, string][];
}

/** Measurements of the page. */
interface Measured {
  draws: number[];
  queries: number[];
  /** From sending a query to the first byte of its answer. */
  waits: number[];
  frames: number[];
}

/** Collects the page's measurements and marks its frames. */
async function watch(page: Page): Promise<void> {
  await page.evaluate((mark) => {
    const seen: Measured = { draws: [], queries: [], waits: [], frames: [] };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) {
        if (name === "rtoscope:draw") seen.draws.push(duration);
        if (name === "rtoscope:lanes") seen.queries.push(duration);
      }
    }).observe({ type: "measure" });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (!(entry instanceof PerformanceResourceTiming) || !entry.name.endsWith("/query"))
          continue;
        seen.waits.push(entry.responseStart - entry.requestStart);
        performance.clearResourceTimings();
      }
    }).observe({ type: "resource" });
    let last = performance.now();
    const frame = (now: number) => {
      performance.mark(mark);
      performance.clearMarks(mark);
      seen.frames.push(now - last);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }, FRAME);
}

const watched = (page: Page) => page.evaluate(() => (window as unknown as { seen: Measured }).seen);

/** Zooms and pans by wheel, by dragging and by keys for a while. */
async function moveAbout(page: Page, timeline: Timeline, seconds: number): Promise<void> {
  const ends = Date.now() + seconds * 1000;
  const { mouse, keyboard } = page;
  const box = await timeline.box();
  const y = box.y + 200;
  const wheel = async (pixels: number, times: number, across = false) => {
    for (let time = 0; time < times && Date.now() < ends; time += 1) {
      await mouse.wheel(across ? pixels : 0, across ? 0 : pixels);
    }
  };
  const drag = async (from: number, to: number) => {
    await mouse.move(box.x + box.width * from, box.y + 12);
    await mouse.down();
    await mouse.move(box.x + box.width * to, box.y + 12, { steps: 25 });
    await mouse.up();
  };
  for (let round = 0; Date.now() < ends; round += 1) {
    await mouse.move(box.x + box.width * (0.2 + 0.13 * (round % 5)), y);
    for (let level = 0; level < 6 && Date.now() < ends; level += 1) {
      await wheel(-120, 12);
      await wheel(40, 15, true);
      await drag(0.7, 0.3);
      await drag(0.3, 0.75);
      await mouse.move(box.x + box.width / 2, y);
      for (const key of ["d", "d", "a", "w", "s", "PageDown", "PageUp"]) await keyboard.press(key);
    }
    await wheel(150, 40);
    await keyboard.press("0");
  }
}

async function measure(browser: Browser, file: string): Promise<Result> {
  // Read the file into the page cache, as if it was opened before.
  for await (const part of createReadStream(file)) void part;
  const page = await browser.newPage({ viewport: VIEWPORT, deviceScaleFactor: 1 });
  const now = () => performance.timeOrigin + performance.now();
  const started = now();
  const server = await Server.start([file]);
  const listening = now() - started;
  const timeline = new Timeline(page);
  await page.goto(`${server.url}#bottom=&side=`, { waitUntil: "commit" });
  const picture = await page.waitForFunction(
    () => {
      const [answered] = performance.getEntriesByName("rtoscope:lanes");
      if (!answered) return null;
      const answer = answered.startTime + answered.duration;
      const drawn = performance
        .getEntriesByName("rtoscope:draw")
        .find(({ startTime }) => startTime >= answer);
      return drawn ? performance.timeOrigin + drawn.startTime + drawn.duration : null;
    },
    undefined,
    { polling: "raf", timeout: 120_000 },
  );
  const first = ((await picture.jsonValue()) ?? Number.NaN) - started;
  // A trace that opens at once shows no progress.
  const density = await page.evaluate(() => {
    const [mark] = performance.getEntriesByName("rtoscope:density");
    return mark ? performance.timeOrigin + mark.startTime : null;
  });
  await timeline.settled();
  const events = await page.evaluate(async () => {
    const response = await fetch("api/traces/1/query", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query: "overview" }),
    });
    return ((await response.json()) as { events: number }).events;
  });
  // Close panels to make room for lanes.
  for (const label of ["Close lower panel", "Close side panel"]) {
    const button = page.getByRole("button", { name: label });
    if (await button.isVisible()) await button.click();
  }
  await timeline.settled();
  const box = await timeline.box();
  const lanes = await timeline.rows.evaluateAll(
    (rows, bottom) => rows.filter((row) => row.getBoundingClientRect().bottom <= bottom).length,
    box.y + box.height,
  );
  expect(lanes, "visible lanes").toBeGreaterThanOrEqual(LANES);

  const sizes: number[] = [];
  page.on("response", (response) => {
    const { "content-type": type, "content-length": length } = response.headers();
    if (type === "application/octet-stream") sizes.push(Number(length));
  });
  const scripts: Record<string, number[]> = {};
  await watch(page);
  const views = ["Time", "Sequential"];
  const inView = async (view: string) => {
    await page.getByRole("button", { name: view, exact: true }).click();
    await timeline.settled();
  };
  for (const view of views) {
    await inView(view);
    await moveAbout(page, timeline, SECONDS / views.length);
  }
  const { draws, queries, waits, frames } = await watched(page);
  // Profiling takes time itself, so everything else was measured without it.
  for (const view of views) {
    await inView(view);
    scripts[view] = await scriptPerFrame(browser, page, () =>
      moveAbout(page, timeline, SECONDS / views.length),
    );
  }
  const [highest, own] = await Promise.all(
    ["VmHWM", "RssAnon"].map((name) => memory(server.pid, name)),
  );
  const { size } = await stat(file);
  await page.close();
  await server.stop();
  return {
    title: `${basename(file)}: ${megabytes(size)}, ${lanes} lanes in view`,
    rows: [
      ["start to listening", `${listening.toFixed(0)} ms`, ""],
      [
        "start to the events over time",
        density === null ? "–" : `${(density - started).toFixed(0)} ms`,
        "",
      ],
      ["start to first picture", `${first.toFixed(0)} ms`, ""],
      ["script per frame, time view", spread(scripts.Time ?? [], "ms"), "95 % ≤ 16 ms"],
      ["script per frame, sequential view", spread(scripts.Sequential ?? [], "ms"), "95 % ≤ 16 ms"],
      ["drawing of the lanes", spread(draws, "ms"), ""],
      ["between frames", spread(frames, "ms"), ""],
      ["lane query, seen by the page", spread(queries, "ms"), ""],
      ["of that, waiting for the server", spread(waits, "ms"), "99 % ≤ 10 ms"],
      [
        "answer",
        spread(
          sizes.map((bytes) => bytes / 1000),
          "kB",
        ),
        "≤ 200 kB",
      ],
      [
        "server, peak resident",
        `${megabytes(highest ?? 0)} (${((highest ?? 0) / size).toFixed(2)} × file)`,
        "",
      ],
      [
        "server, anonymous",
        `${megabytes(own ?? 0)} (${((own ?? 0) / size).toFixed(2)} × file)`,
        "",
      ],
      ["of that, for each event", `${((own ?? 0) / events).toFixed(0)} bytes`, ""],
    ],
  };
}

function markdown({ title, rows }: Result): string {
  const lines = rows.map(([what, value, goal]) => `| ${what} | ${value} | ${goal} |`);
  return [
    "",
    `### ${title}`,
    "",
    "| | median / 95 % / 99 % / max (count) | goal |",
    "|---|---|---|",
    ...lines,
    "",
  ].join("\n");
}

test("large traces", async ({ browser }) => {
  const folder = await mkdtemp(join(tmpdir(), "rtoscope-bench-"));
  try {
    const sources =
      FILES.length > 0
        ? FILES.map((file) => ({ file, events: null }))
        : SIZES.map((events) => ({ file: join(folder, `${events}.trx`), events }));
    for (const { file, events } of sources) {
      if (events !== null) {
        await run(generator(), ["threadx", "--events", events, "--threads", "100", "-o", file]);
        // Pending disk writes would slow down the measurement.
        await run("sync", [file]);
      }
      console.log(markdown(await measure(browser, file)));
      if (events !== null) await rm(file);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
