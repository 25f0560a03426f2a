/**
 * Performance of the viewer on large traces: `npm run bench`.
 *
 * RTOSCOPE_BIN is the program, built for release. RTOSCOPE_BENCH_EVENTS is a comma-separated list
 * of event counts; RTOSCOPE_BENCH_FILES a list of traces to use instead; RTOSCOPE_BENCH_SECONDS the
 * time to navigate in each, once plainly and once with profiling. RTOSCOPE_BENCH_HOSTS chooses what
 * answers the page: `server`, `workers` (the page of `cargo xtask page`) or both.
 */

import { execFile } from "node:child_process";
import { createReadStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { type Browser, expect, type Page, test } from "@playwright/test";
import {
  FRAME,
  megabytes,
  memory,
  peakOfRenderers,
  scriptPerFrame,
  spread,
} from "./support/measure";
import { generator, Server } from "./support/server";
import { Site } from "./support/site";
import { Timeline } from "./support/timeline";

const run = promisify(execFile);

const SIZES = (process.env.RTOSCOPE_BENCH_EVENTS ?? "1000000,10000000").split(",");
const FILES = process.env.RTOSCOPE_BENCH_FILES?.split(",") ?? [];
const HOSTS = (process.env.RTOSCOPE_BENCH_HOSTS ?? "server,workers").split(",");
const SECONDS = Number(process.env.RTOSCOPE_BENCH_SECONDS ?? 20);
/** Minimum number of visible lanes. */
const LANES = 35;
const VIEWPORT = { width: 1600, height: 1340 };

/** What answers the page. */
interface Host {
  /** Opens a file; returns when that began. */
  open(page: Page, file: string): Promise<number>;
  rows(size: number): Promise<[string, string, string][]>;
  stop(): Promise<void> | void;
}

const FRAGMENT = "#bottom=&side=";
const now = () => performance.timeOrigin + performance.now();

/** The command. */
class ServerHost implements Host {
  private server: Server | undefined;
  private listening = 0;

  async open(page: Page, file: string): Promise<number> {
    const started = now();
    this.server = await Server.start([file]);
    this.listening = now() - started;
    await page.goto(`${this.server.url}${FRAGMENT}`, { waitUntil: "commit" });
    return started;
  }

  async rows(size: number): Promise<[string, string, string][]> {
    const figures = ["VmHWM", "RssAnon"].map((name) => memory(this.server?.pid ?? 0, name));
    const [highest = 0, own = 0] = await Promise.all(figures);
    const text = (bytes: number) => `${megabytes(bytes)} (${(bytes / size).toFixed(2)} × file)`;
    return [
      ["start to listening", `${this.listening.toFixed(0)} ms`, ""],
      ["server, peak resident", text(highest), ""],
      ["server, anonymous", text(own), ""],
    ];
  }

  stop(): Promise<void> | undefined {
    return this.server?.stop();
  }
}

/** The page itself, which is loaded before it opens a file. */
class WorkerHost implements Host {
  private loading = 0;

  private constructor(private readonly site: Site) {}

  static async start(): Promise<WorkerHost> {
    return new WorkerHost(await Site.start());
  }

  async open(page: Page, file: string): Promise<number> {
    const asked = now();
    await page.goto(`${this.site.url}${FRAGMENT}`);
    const button = page.getByRole("button", { name: "Open a file…" });
    await expect(button).toBeVisible();
    this.loading = now() - asked;
    const chooser = page.waitForEvent("filechooser");
    await button.click();
    const chosen = await chooser;
    const started = now();
    await chosen.setFiles(file);
    return started;
  }

  async rows(): Promise<[string, string, string][]> {
    return [["loading of the page", `${this.loading.toFixed(0)} ms`, ""]];
  }

  stop(): void {
    this.site.stop();
  }
}

const hostOf = (name: string) => (name === "workers" ? WorkerHost.start() : new ServerHost());

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

async function measure(browser: Browser, file: string, host: Host): Promise<Result> {
  // Read the file into the page cache, as if it was opened before.
  for await (const part of createReadStream(file)) void part;
  const page = await browser.newPage({ viewport: VIEWPORT, deviceScaleFactor: 1 });
  const timeline = new Timeline(page);
  const started = await host.open(page, file);
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
  const { size } = await stat(file);
  const ownRows = await host.rows(size);
  const peak = await peakOfRenderers(browser);
  await page.close();
  await host.stop();
  return {
    title: `${basename(file)}: ${megabytes(size)}, ${lanes} lanes in view`,
    rows: [
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
      ["in it, waiting for the server", spread(waits, "ms"), "99 % ≤ 10 ms"],
      [
        "answer",
        spread(
          sizes.map((bytes) => bytes / 1000),
          "kB",
        ),
        "≤ 200 kB",
      ],
      ["page, peak resident", megabytes(peak), ""],
      ...ownRows,
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
      for (const name of HOSTS) {
        const { title, rows } = await measure(browser, file, await hostOf(name));
        console.log(markdown({ title: `${name}, ${title}`, rows }));
      }
      if (events !== null) await rm(file);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
