/**
 * Arranging lanes.
 *
 * TraceX: "Drag and drop to reorder", "Right click (or Enter): Thread Info, Move to top, Move to
 * bottom", sorts ("Most Events" and "Least Events" really sort by priority), "Hover:
 * thread id, name, stack …". "No hiding, grouping or filtering."
 */

import { SMP, SYSTEM } from "./support/traces";
import { expect, test, type Viewer } from "./support/viewer";

/** Names of the thread lanes from top to bottom. */
async function threads(viewer: Viewer): Promise<string[]> {
  const { lanes } = await viewer.overview();
  const names = new Set(lanes.filter(({ kind }) => kind === "thread").map(({ name }) => name));
  return (await viewer.timeline.rowNames()).filter((name) => names.has(name));
}

/** Runs an item of a lane's menu. */
async function choose(viewer: Viewer, lane: string, item: string): Promise<void> {
  await viewer.timeline.row(lane).click({ button: "right" });
  const menu = viewer.page.getByRole("menu", { name: `Lane ${lane}` });
  await menu.getByRole("menuitem", { name: item }).click();
  await expect(menu).toBeHidden();
}

test("lanes are dragged, moved by keys and by the menu, and pinned", async ({ open }) => {
  const viewer = await open(SYSTEM);
  await test.step("a lane is dragged to another position", async () => {
    const { page, timeline } = viewer;
    const before = await threads(viewer);
    const [from, to] = await Promise.all([
      timeline.row("mid").boundingBox(),
      timeline.row("sensor").boundingBox(),
    ]);
    if (!from || !to) throw new Error("the lanes are not shown");
    await page.mouse.move(from.x + 60, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(to.x + 60, to.y + 4, { steps: 8 });
    await page.mouse.up();
    const others = before.filter((name) => name !== "mid");
    const place = others.indexOf("sensor");
    await expect.poll(() => threads(viewer)).toEqual(others.toSpliced(place, 0, "mid"));
  });
  await test.step("lanes are moved by keys and by the menu", async () => {
    await viewer.reset();
    const { timeline } = viewer;
    const before = await threads(viewer);
    await timeline.row("logger").focus();
    await viewer.press("Alt+ArrowUp");
    const place = before.indexOf("logger");
    await expect
      .poll(() => threads(viewer))
      .toEqual(before.toSpliced(place - 1, 2, "logger", before[place - 1] ?? ""));
    await expect(timeline.row("logger")).toBeFocused();
    await viewer.press("Alt+ArrowDown");
    await expect.poll(() => threads(viewer)).toEqual(before);
    await choose(viewer, "logger", "Move to bottom");
    await expect.poll(async () => (await timeline.rowNames()).at(-1)).toBe("logger");
    await choose(viewer, "alarm", "Move to top");
    // Below the pinned lanes.
    await expect
      .poll(async () => (await timeline.rowNames()).slice(0, 2))
      .toEqual(["Summary", "alarm"]);
  });
  await test.step("pinned lanes stay above the scrolled ones", async () => {
    await viewer.reset();
    const { page, timeline } = viewer;
    await choose(viewer, "monitor", "Pin");
    const pinned = page.getByRole("group", { name: "Pinned lanes" });
    await expect(pinned.getByRole("treeitem")).toHaveText([/Summary/, /monitor/]);
    await viewer.resize(1400, 720);
    const before = await timeline.row("monitor").boundingBox();
    const scrolling = await timeline.row("sensor").boundingBox();
    const box = await timeline.box();
    await page.mouse.move(box.x - 60, box.y + box.height - 20);
    await page.mouse.wheel(0, 60);
    await expect
      .poll(async () => (await timeline.row("sensor").boundingBox())?.y)
      .toBeLessThan(scrolling?.y ?? 0);
    expect((await timeline.row("monitor").boundingBox())?.y).toBe(before?.y);
    await choose(viewer, "monitor", "Unpin");
    await expect(pinned.getByRole("treeitem")).toHaveText([/Summary/]);
  });
});

test("lanes are sorted, filtered and hidden", async ({ open }) => {
  const viewer = await open(SYSTEM);
  await test.step("threads are sorted", async () => {
    const { page } = viewer;
    const { lanes, contexts } = await viewer.overview();
    const known = lanes.flatMap((lane) => {
      const context = lane.kind === "thread" ? contexts[lane.context] : undefined;
      return context
        ? [{ ...lane, priority: context.priority ?? 0, created: context.object ?? 0 }]
        : [];
    });
    const by = page.getByRole("combobox", { name: "Sort lanes" });
    const sorted = async (title: string, key: (lane: (typeof known)[number]) => number) => {
      await by.selectOption(title);
      await viewer.timeline.idle();
      const names = await threads(viewer);
      const keys = names.flatMap((name) => known.filter((lane) => lane.name === name).map(key));
      expect(names).toHaveLength(known.length);
      expect(keys, title).toEqual(keys.toSorted((one, other) => one - other));
      expect(new Set(keys).size).toBeGreaterThan(3);
    };
    await sorted("Priority (highest first)", ({ priority }) => priority);
    await sorted("CPU time (highest first)", ({ busy_time: busyTime }) => -busyTime);
    await sorted("Event count (highest first)", ({ events }) => -events);
    await sorted("Creation order", ({ created }) => created);
    await by.selectOption("Name");
    await viewer.timeline.idle();
    const names = await threads(viewer);
    expect(names).toEqual(
      names.toSorted((one, other) => one.localeCompare(other, "en", { sensitivity: "base" })),
    );
  });
  await test.step("lanes are filtered by name", async () => {
    const { page } = viewer;
    const box = page.getByRole("searchbox", { name: "Filter lanes by name" });
    await box.fill("LOG");
    await expect.poll(() => threads(viewer)).toEqual(["logger"]);
    await box.fill("timer thr");
    await expect.poll(() => threads(viewer)).toEqual(["System Timer Thread"]);
    await box.press("Escape");
    await expect.poll(async () => (await threads(viewer)).length).toBeGreaterThan(5);
  });
  await test.step("lanes are hidden and shown again", async () => {
    await viewer.reset();
    const { page, timeline } = viewer;
    const before = await timeline.rowNames();
    await choose(viewer, "ui", "Hide");
    await choose(viewer, "mid", "Hide");
    await expect
      .poll(() => timeline.rowNames())
      .toEqual(before.filter((name) => name !== "ui" && name !== "mid"));
    await page.getByRole("button", { name: "+2 hidden" }).click();
    await expect.poll(() => timeline.rowNames()).toEqual(before);
  });
});

test("threads are grouped, and groups collapse", async ({ open }) => {
  const viewer = await open(SMP);
  const { page, timeline } = viewer;
  // Only visible rows are rendered.
  await viewer.resize(1400, 1800);
  const before = await threads(viewer);
  await page.getByRole("combobox", { name: "Group lanes" }).selectOption("Priority");
  const groups = timeline.names.getByRole("treeitem", { name: /^Priority \d+, \d+ lanes?$/ });
  await expect(groups.first()).toBeVisible();
  await timeline.idle();
  const first = groups.first();
  const count = Number(/, (\d+) lane/.exec((await first.getAttribute("aria-label")) ?? "")?.[1]);
  await expect(first).toHaveAttribute("aria-expanded", "true");
  const shown = await threads(viewer);
  await first.focus();
  await viewer.press("Enter");
  await expect(first).toHaveAttribute("aria-expanded", "false");
  await expect.poll(async () => shown.length - (await threads(viewer)).length).toBe(count);
  await page.getByRole("combobox", { name: "Group lanes" }).selectOption("No groups");
  await expect(groups).toHaveCount(0);
  await expect.poll(() => threads(viewer)).toEqual(before);
});

test("a lane's menu shows its properties and the lanes that interact with it", async ({ open }) => {
  const viewer = await open(SYSTEM);
  await test.step("a lane's menu shows its properties and is navigated by keys", async () => {
    const { page, timeline } = viewer;
    await timeline.row("alarm").focus();
    await viewer.press("Enter");
    const menu = page.getByRole("menu", { name: "Lane alarm" });
    await expect(menu).toBeVisible();
    const { contexts, lanes } = await viewer.overview();
    const text = (await menu.innerText()).replaceAll("\u202f", "");
    const context = contexts.find(({ name }) => name === "alarm");
    expect(text).toContain(context?.address ?? "no address");
    expect(text).toContain(String(context?.priority));
    expect(text).toContain(String(lanes.find(({ name }) => name === "alarm")?.busy_time));
    await viewer.press("ArrowDown");
    await expect(menu.getByRole("menuitem", { name: "Move to bottom" })).toBeFocused();
    await viewer.press("Escape");
    await expect(menu).toBeHidden();
    await expect(timeline.row("alarm")).toBeFocused();
  });
  await test.step("only lanes interacting with one lane are shown", async () => {
    const { timeline } = viewer;
    // Zoomed in, single interactions are known.
    await viewer.select(1357);
    for (let time = 0; time < 6; time += 1) await viewer.press("w");
    await viewer.timeline.rested();
    await timeline.settled();
    const all = await timeline.rowNames();
    await choose(viewer, "alarm", "Show only lanes interacting with this one");
    await expect.poll(async () => (await timeline.rowNames()).length).toBeLessThan(all.length);
    expect(await timeline.rowNames()).toContain("alarm");
  });
});
