/** Graphs of load and levels below the timeline. TraceX has none. */

import { Picture } from "./support/picture";
import { SMP, SYSTEM } from "./support/traces";
import { expect, test, type Viewer } from "./support/viewer";

async function graphs(viewer: Viewer) {
  const panel = await viewer.panel("Graphs");
  await expect(
    panel.getByRole("group", { name: "Graph Load" }).locator("canvas").first(),
  ).toBeVisible();
  return panel;
}

test("the load follows the view, and levels are added and removed", async ({ open }) => {
  const viewer = await open(SYSTEM);
  await test.step("the load is drawn at the right height and time", async () => {
    const { timeline } = viewer;
    const panel = await graphs(viewer);
    await viewer.select(1357);
    for (let time = 0; time < 8; time += 1) await viewer.press("w");
    await viewer.timeline.rested();
    const plot = panel.getByRole("group", { name: "Graph Load" }).locator(".graph-plot");
    const [lanes, box] = await Promise.all([timeline.box(), plot.boundingBox()]);
    // The same pixels are the same time.
    expect(box?.x).toBeCloseTo(lanes.x, 0);
    expect(box?.width).toBeCloseTo(lanes.width, 0);
    const { from, to, length } = await viewer.timeline.part();
    const graph = await viewer.query({
      query: "graph",
      source: { kind: "load", core: null },
      window: { axis: "time", start: from, end: to },
      width: Math.round(lanes.width),
    });
    await timeline.settled();
    const picture = await Picture.of(plot);
    const highest = (x: number) => {
      for (let y = 0; y < picture.height; y += 1) {
        if (picture.has("--graph-1", x, y, y + 1)) return y;
      }
      return picture.height;
    };
    // Where the load is 100 % for some pixels, the graph is at the top; where it is 0, it is not.
    const wide = graph.positions.flatMap((at, index) => {
      const next = graph.positions[index + 1] ?? to;
      const value = graph.max[index];
      const x = [(at - from) / length, (next - from) / length].map((part) => part * picture.width);
      const [left = 0, right = 0] = x;
      return right - left > 6 &&
        left > 0 &&
        right < picture.width &&
        value !== null &&
        value !== undefined &&
        value === graph.min[index]
        ? [{ x: (left + right) / 2, value }]
        : [];
    });
    const busy = wide.filter(({ value }) => value > 99);
    const idle = wide.filter(({ value }) => value < 1);
    expect(busy.length + idle.length, "positions with a steady load").toBeGreaterThan(1);
    for (const { x } of busy) expect(highest(x)).toBeLessThan(picture.height * 0.25);
    for (const { x } of idle) expect(highest(x)).toBeGreaterThan(picture.height * 0.6);
  });
  await test.step("the graph follows zooming and panning, and shows the value at the pointer", async () => {
    await viewer.press("0");
    const { page, timeline } = viewer;
    const panel = await graphs(viewer);
    await viewer.whileMoving(() => viewer.press("w", "w", "w", "d"));
    const plot = panel.getByRole("group", { name: "Graph Load" }).locator(".graph-plot");
    const box = await timeline.box();
    await page.mouse.move(box.x + box.width / 2, box.y + 60);
    await expect(plot.locator(".graph-value")).toHaveText(/^\d+\.\d( … \d+\.\d)? %$/);
    const cursor = await plot.locator(".graph-cursor").boundingBox();
    expect(cursor?.x).toBeCloseTo(box.x + box.width / 2, 0);
  });
  await test.step("levels of objects are added and removed", async () => {
    const panel = await graphs(viewer);
    const { levels } = await viewer.overview();
    for (const { name } of levels) {
      await panel.getByRole("combobox", { name: "Add a graph" }).selectOption(name);
      await expect(panel.getByRole("group", { name: `Graph ${name}` })).toBeVisible();
    }
    const rest = panel.getByRole("combobox", { name: "Add a graph" }).locator("optgroup");
    await expect(rest.and(panel.locator('[label="Levels"]'))).toHaveCount(0);
    await panel.getByRole("button", { name: "Remove graph heap" }).click();
    await expect(panel.getByRole("group", { name: "Graph heap" })).toBeHidden();
  });
  await test.step("messages are offered for queues and semaphores only", async () => {
    const { levels } = await viewer.overview();
    const panel = await graphs(viewer);
    const options = panel.getByRole("combobox", { name: "Add a graph" }).getByRole("option");
    const shown = (await options.allInnerTexts()).filter((title) => title.endsWith(": messages"));
    const expected = levels.filter((level) => ["queue", "semaphore"].includes(level.class));
    expect(shown).toEqual(expected.map(({ name }) => `${name}: messages`));
    expect(expected.length).toBeLessThan(levels.length);
  });
});

test("graphs are aligned in a narrow window, and each core has one", async ({ open }) => {
  const viewer = await open(SYSTEM);
  await test.step("graphs are aligned with the lanes of a narrow window", async () => {
    const panel = await graphs(viewer);
    await viewer.resize(400, 800);
    const plot = panel.getByRole("group", { name: "Graph Load" }).locator(".graph-plot");
    const [lanes, box] = await Promise.all([viewer.timeline.box(), plot.boundingBox()]);
    expect(box?.x).toBeCloseTo(lanes.x, 0);
    expect(box?.width).toBeCloseTo(lanes.width, 0);
  });
  await test.step("each core has its own load graph", async () => {
    const viewer = await open(SMP);
    const panel = await graphs(viewer);
    await panel.getByRole("combobox", { name: "Add a graph" }).selectOption("Load of core 1");
    const graph = panel.getByRole("group", { name: "Graph Load of core 1" });
    await expect(graph).toBeVisible();
    await viewer.timeline.settled();
    await expect
      .poll(async () => (await Picture.of(graph.locator(".graph-plot"))).colours)
      .toBeGreaterThan(5);
  });
});
