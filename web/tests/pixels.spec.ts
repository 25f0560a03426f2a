/**
 * What canvases show, pixel by pixel against what the session says.
 *
 * TraceX: "green running bar", "priority inversions: range shading, deterministic salmon,
 * non-deterministic red", "status lines", "vertical black line between rows", "current event: red
 * vertical line", icons with "background by object class".
 */

import type { LaneContents, LanesAnswer } from "../src/session/lanes";
import type { Overview, Search } from "../src/session/wire";
import { isNear, type Picture } from "./support/picture";
import { spotOf } from "./support/spot";
import { SMP, SYSTEM } from "./support/traces";
import { expect, test, type Viewer } from "./support/viewer";

interface Seen {
  overview: Overview;
  answer: LanesAnswer;
  picture: Picture;
  /** Top and height of a lane's row within the picture. */
  row: (lane: number) => Promise<{ top: number; height: number }>;
}

/** The picture and the answer that it shows. */
async function look(viewer: Viewer, search: Search | null = null): Promise<Seen> {
  await viewer.timeline.rested();
  await viewer.page.mouse.move(5, 5);
  await viewer.timeline.settled();
  const { page, timeline } = viewer;
  const [overview, box, picture] = await Promise.all([
    viewer.overview(),
    timeline.box(),
    timeline.picture(),
  ]);
  const { from, to } = await viewer.timeline.part();
  const answer = await viewer.query({
    query: "lanes",
    window: { axis: spotOf(page).axis ?? "time", start: from, end: to },
    width: Math.round(box.width),
    lanes: overview.lanes.map((_, lane) => lane),
    search,
  });
  return {
    overview,
    answer,
    picture,
    row: async (lane) => {
      const row = await timeline.row(overview.lanes[lane]?.name ?? "").boundingBox();
      return { top: (row?.y ?? Number.NaN) - box.y, height: row?.height ?? 0 };
    },
  };
}

/** Bars wide enough to be visible, by name of their class. */
function wide({ overview }: Seen, lane: LaneContents, least = 8) {
  if (!lane.bars.listed) return [];
  const { start, end, class: classes, subject } = lane.bars;
  return [...start].flatMap((from, at) => {
    const to = end[at] ?? from;
    const [left, right] = [Math.max(from, 0), Math.min(to, 700)];
    const name = overview.classes.find(({ code }) => code === classes[at])?.name ?? "";
    return right - left >= least
      ? [{ left, right, middle: (left + right) / 2, name, what: subject[at] ?? 0 }]
      : [];
  });
}

async function near(viewer: Viewer, event: number, before: number, after: number): Promise<void> {
  const place = await viewer.query({ query: "locate", axis: "index", at: event });
  const time = place?.time ?? 0;
  await viewer.load(`trace=0&axis=time&from=${time - before}&to=${time + after}`);
}

test("bars have the colours of states, and search hits are marked", async ({ open, page }) => {
  const viewer = await open(SYSTEM);
  await test.step("a bar has the colour of its lane's state in the schedule", async () => {
    await near(viewer, 1410, 20_000, 200_000);
    const seen = await look(viewer);
    let checked = 0;
    for (const lane of seen.answer.lanes) {
      if (seen.overview.lanes[lane.lane]?.kind !== "thread") continue;
      const { top, height } = await seen.row(lane.lane);
      for (const { left, right, name } of wide(seen, lane)) {
        // Somewhere along the bar, no icon or line covers it.
        const places = [0.2, 0.35, 0.5, 0.65, 0.8].map((part) => left + (right - left) * part);
        const has = places.some((x) => seen.picture.has("--lane-running", x, top, top + height));
        expect(has, `lane ${lane.lane} ${name} from ${left} to ${right}`).toBe(name === "running");
        checked += 1;
      }
    }
    expect(checked).toBeGreaterThan(12);
  });
  await test.step("search hits are marked in the lanes of their events", async () => {
    await near(viewer, 1410, 20_000, 200_000);
    await viewer.press("/");
    await page.getByRole("combobox", { name: "Filter" }).fill("mutex");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("contentinfo").getByText(/hits$/)).toBeVisible();
    const seen = await look(viewer, { filter: "mutex" });
    let [marked, plain] = [0, 0];
    for (const { lane, hits } of seen.answer.lanes) {
      if (hits === null || seen.overview.lanes[lane]?.kind !== "thread") continue;
      const { top } = await seen.row(lane);
      for (let x = 3; x < seen.picture.width - 3; x += 1) {
        const isHit = hits[x] !== 0;
        // A mark is two pixels wide, and the answer may be for a width that differs by a pixel.
        if (!isHit && hits.subarray(x - 2, x + 3).some((near) => near !== 0)) continue;
        const shown = [-1, 0, 1].some((by) => seen.picture.has("--hit", x + by, top, top + 3));
        expect(shown, `lane ${lane} at ${x}`).toBe(isHit);
        if (isHit) marked += 1;
        else plain += 1;
      }
    }
    expect(marked).toBeGreaterThan(4);
    expect(plain).toBeGreaterThan(1000);
  });
});

test("cores have the colours of threads, and unknown intervals are hatched", async ({ open }) => {
  const viewer = await open(SMP);
  await test.step("cores have the colours of the threads that they run", async () => {
    await near(viewer, 700, 2_000_000, 8_000_000);
    const seen = await look(viewer);
    let checked = 0;
    for (const lane of seen.answer.lanes) {
      if (seen.overview.lanes[lane.lane]?.kind !== "core") continue;
      const { top, height } = await seen.row(lane.lane);
      for (const { left, right, name, what } of wide(seen, lane)) {
        const property =
          name === "thread" ? `--context-${what % 10}` : name === "idle" ? "--lane-idle" : null;
        if (property === null) continue;
        const places = [0.2, 0.5, 0.9].map((part) => left + (right - left) * part);
        expect(
          places.some((x) => seen.picture.has(property, x, top, top + height)),
          `core lane ${lane.lane}: ${name} ${what} from ${left} to ${right}`,
        ).toBe(true);
        checked += 1;
      }
    }
    expect(checked).toBeGreaterThan(8);
  });
  await test.step("unknown intervals are hatched", async () => {
    await viewer.press("0");
    const seen = await look(viewer);
    const core = seen.overview.lanes.findIndex((lane) => lane.kind === "core" && lane.core === 1);
    const lane = seen.answer.lanes.find((one) => one.lane === core);
    if (!lane) throw new Error("the lane of core 1 is missing");
    const first = wide(seen, lane, 6).find(({ name }) => name === "unknown");
    const { top, height } = await seen.row(core);
    const [left, right] = first ? [first.left, first.right] : [0, 20];
    let hatched = 0;
    for (let x = Math.ceil(left); x < right; x += 1) {
      if (seen.picture.has("--lane-unknown", x, top, top + height)) hatched += 1;
    }
    expect(hatched).toBeGreaterThan((right - left) / 4);
  });
});

test("ready threads, priority inversions, the selected event and icons are drawn", async ({
  open,
}) => {
  const viewer = await open(SYSTEM);
  await test.step("a line below the bars shows that a thread is ready", async () => {
    await near(viewer, 1357, 10_000, 100_000);
    const seen = await look(viewer);
    const ui = seen.overview.lanes.findIndex(({ name }) => name === "ui");
    const lane = seen.answer.lanes.find((one) => one.lane === ui);
    if (!lane) throw new Error("lane ui is missing");
    const { top, height } = await seen.row(ui);
    const bars = wide(seen, lane, 10);
    expect(bars.some(({ name }) => name === "ready")).toBe(true);
    for (const { middle, left, right, name } of bars) {
      const shown = seen.picture.has("--lane-ready", middle, top + height - 5, top + height);
      expect(shown, `${name} from ${left} to ${right}`).toBe(name === "ready");
    }
  });
  await test.step("priority inversions shade the lanes of the blocked thread, in two strengths", async () => {
    const shade = async (event: number, name: string) => {
      await near(viewer, event, 3000, 30_000);
      const seen = await look(viewer);
      const inversion = seen.answer.inversions;
      expect(inversion?.x0.length).toBe(1);
      const context = inversion?.blocked[0] ?? 0;
      const lane = seen.overview.lanes.findIndex(
        (one) => one.kind === "thread" && one.context === context,
      );
      expect(seen.overview.lanes[lane]?.name).toBe(name);
      const { top, height } = await seen.row(lane);
      const x = Math.min(((inversion?.x0[0] ?? 0) + Math.min(inversion?.x1[0] ?? 0, 700)) / 2, 690);
      const shaded = seen.picture.at(x, top + height / 2);
      const plain = seen.picture.at(Math.max((inversion?.x0[0] ?? 0) - 12, 1), top + height / 2);
      expect(isNear(shaded, plain, 8), "shaded unlike the rest").toBe(false);
      // The background shows through, reddish.
      expect(shaded[0]).toBeGreaterThan(shaded[2]);
      return shaded;
    };
    const unbounded = await shade(1357, "alarm");
    const bounded = await shade(2370, "control");
    expect(isNear(unbounded, bounded, 10)).toBe(false);
    // Unbounded inversions are shaded more strongly.
    expect(unbounded[1]).toBeLessThan(bounded[1]);
  });
  await test.step("the selected event has a line through all lanes", async () => {
    await viewer.press("0");
    await viewer.select(1500);
    const seen = await look(viewer);
    const place = await viewer.query({ query: "locate", axis: "index", at: 1500 });
    const { from, length } = await viewer.timeline.part();
    const x = (((place?.time ?? 0) - from) / length) * seen.picture.width;
    const line = [-1, 0, 1].some((by) =>
      seen.picture.has("--lane-selected", x + by, 300, seen.picture.height - 4),
    );
    expect(line).toBe(true);
  });
  await test.step("icons have the catalogue's colours in the sequential view", async () => {
    await viewer.load("trace=0&axis=index&from=1350&to=1380");
    const seen = await look(viewer);
    const summary = seen.answer.lanes.find(
      ({ lane }) => seen.overview.lanes[lane]?.kind === "summary",
    );
    const { events } = summary ?? {};
    if (!summary || !events?.listed) throw new Error("the summary lists no events");
    expect(events.x.length).toBeGreaterThanOrEqual(29);
    const { top, height } = await seen.row(summary.lane);
    for (const [at, x] of [...events.x].entries()) {
      if (x < 12 || x > seen.picture.width - 12) continue;
      const kind = seen.overview.kinds[events.kind[at] ?? 0];
      const [red = 0, green = 0, blue = 0] =
        kind?.colour
          .slice(1)
          .match(/../g)
          ?.map((part) => Number.parseInt(part, 16)) ?? [];
      let found = false;
      for (let y = top; y < top + height && !found; y += 1) {
        for (const by of [-8, -7, -6, 6, 7]) {
          if (isNear(seen.picture.at(x + by, y), [red, green, blue])) found = true;
        }
      }
      expect(found, `icon of ${kind?.name} at ${x}`).toBe(true);
    }
  });
});
