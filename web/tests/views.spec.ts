/**
 * The views and their lanes.
 *
 * TraceX: "Sequential View" and "Time View", rows "Interrupt, Initialize/Idle, threads", "Context
 * Summary", "Event Summary", "disabled when time source static". It has no overview and no cores.
 */

import { spotOf } from "./support/spot";
import { INTERRUPTS, SMP, SYSTEM } from "./support/traces";
import { expect, test } from "./support/viewer";

test("time and sequential view show the same location", async ({ open }) => {
  const viewer = await open(SYSTEM);
  const { page } = viewer;
  await viewer.select(1357);
  for (let time = 0; time < 8; time += 1) await viewer.press("w");
  const { from, to } = await viewer.timeline.part();
  const [first, last] = await Promise.all(
    [from, to].map((at) => viewer.query({ query: "locate", axis: "time", at })),
  );
  await viewer.whileMoving(() =>
    page.getByRole("button", { name: "Sequential", exact: true }).click(),
  );
  expect(spotOf(page).axis).toBe("index");
  expect((await viewer.timeline.part()).from).toBeCloseTo(first?.event ?? 0, 0);
  expect((await viewer.timeline.part()).to).toBeCloseTo((last?.event ?? 0) + 1, 0);
  // The selected event stays selected and visible.
  expect(spotOf(page).event).toBe(1357);
  expect((await viewer.timeline.part()).from).toBeLessThan(1357);
  expect((await viewer.timeline.part()).to).toBeGreaterThan(1358);
  await viewer.whileMoving(() => page.getByRole("button", { name: "Time", exact: true }).click());
  expect(spotOf(page).axis).toBe("time");
  // The edges are events now: off by at most the distance between two.
  expect(Math.abs((await viewer.timeline.part()).from - (first?.time ?? 0))).toBeLessThan(
    (await viewer.timeline.part()).length * 0.02,
  );
  expect(Math.abs((await viewer.timeline.part()).to - (last?.time ?? 0))).toBeLessThan(
    (await viewer.timeline.part()).length * 0.02,
  );
  // However often the view is switched.
  const { from: start, to: end } = await viewer.timeline.part();
  for (let time = 0; time < 4; time += 1) await viewer.whileMoving(() => viewer.press("t"));
  expect(await viewer.timeline.part()).toMatchObject({ from: start, to: end });
});

test("every core, interrupt service routine and thread has a lane", async ({ open }) => {
  const viewer = await open(SYSTEM);
  await test.step("one core: summary, interrupts with their service routines, idle, and all threads by name", async () => {
    const { timeline } = viewer;
    const { lanes } = await viewer.overview();
    const routines = lanes.filter(({ kind }) => kind === "isr").map(({ name }) => name);
    const others = lanes.filter(({ kind }) => kind !== "isr").map(({ name }) => name);
    await expect.poll(() => timeline.rowNames()).toEqual(others);
    expect(others).toEqual(
      expect.arrayContaining(["Summary", "Interrupts", "Initialisation / idle", "sensor", "alarm"]),
    );
    const parent = timeline.row("Interrupts");
    await expect(parent).toHaveAttribute("aria-expanded", "false");
    await parent.focus();
    await viewer.press("ArrowRight");
    await expect(parent).toHaveAttribute("aria-expanded", "true");
    for (const name of routines)
      await expect(timeline.row(name)).toHaveAttribute("aria-level", "2");
    await viewer.press("ArrowLeft");
    await expect(timeline.row(routines[0] ?? "")).toBeHidden();
  });
  await test.step("several cores: a lane each, and their interrupts", async () => {
    const viewer = await open(SMP);
    const { lanes, cores } = await viewer.overview();
    expect(cores.length).toBeGreaterThan(1);
    // Only visible rows are rendered.
    await viewer.resize(1400, 1800);
    const names = await viewer.timeline.rowNames();
    for (const core of cores) {
      const own = lanes.filter((lane) => lane.kind === "core" && lane.core === core);
      expect(own).toHaveLength(1);
      expect(names).toContain(own[0]?.name);
    }
    for (const lane of lanes) {
      if (lane.kind === "thread")
        await expect(viewer.timeline.row(lane.name).first()).toBeAttached();
    }
  });
  await test.step("interrupt service routines have their own rows", async () => {
    const viewer = await open(INTERRUPTS);
    const { lanes } = await viewer.overview();
    await viewer.timeline.row("Interrupts").focus();
    await viewer.press("ArrowRight");
    for (const { name } of lanes.filter(({ kind }) => kind === "isr")) {
      await expect(viewer.timeline.row(name)).toBeVisible();
    }
  });
});

test("the overview moves the view, and a click in a lane selects the event", async ({ open }) => {
  const viewer = await open(SYSTEM);
  await test.step("the overview shows the visible interval; its box and edges are draggable", async () => {
    const { page, timeline } = viewer;
    const { span } = await viewer.overview();
    await expect(timeline.overview).toHaveAttribute("aria-valuetext", "from 0 to 100 percent");
    const box = await timeline.overview.boundingBox();
    if (!box) throw new Error("the overview is missing");
    const y = box.y + box.height / 2;
    const drag = async (from: number, to: number) => {
      await page.mouse.move(box.x + box.width * from, y);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * to, y, { steps: 5 });
      await page.mouse.up();
    };
    // The right edge.
    await viewer.whileMoving(() => drag(0.999, 0.4));
    expect((await viewer.timeline.part()).from / span).toBeCloseTo(0, 1);
    expect((await viewer.timeline.part()).to / span).toBeCloseTo(0.4, 1);
    // The box.
    await viewer.whileMoving(() => drag(0.2, 0.5));
    expect((await viewer.timeline.part()).from / span).toBeCloseTo(0.3, 1);
    expect((await viewer.timeline.part()).to / span).toBeCloseTo(0.7, 1);
    // A press beside the box.
    await viewer.whileMoving(async () => {
      await page.mouse.click(box.x + box.width * 0.15, y);
    });
    expect((await viewer.timeline.part()).middle / span).toBeCloseTo(0.2, 1);
    await expect(timeline.overview).toHaveAttribute("aria-valuetext", /from -?\d+ to \d+ percent/);
  });
  await test.step("a click in a lane selects the event", async () => {
    await viewer.press("0");
    const { page, timeline } = viewer;
    await viewer.select(1357);
    for (let time = 0; time < 12; time += 1) await viewer.press("w");
    await viewer.timeline.rested();
    const { contexts } = await viewer.overview();
    const target = await viewer.query({ query: "event", event: 1354 });
    const name = contexts[target?.context ?? 0]?.name ?? "";
    const lane = name === "interrupt" ? "Interrupts" : name;
    const at = await timeline.point(lane, target?.time ?? 0);
    await page.mouse.click(at.x, at.y);
    await viewer.expectSelected(1354);
    // In the summary, too.
    const other = await viewer.query({ query: "event", event: 1356 });
    const summary = await timeline.point("Summary", other?.time ?? 0);
    await page.mouse.click(summary.x, summary.y + 8);
    await viewer.expectSelected(1356);
  });
});
