/** Plots of durations: the largest point is the maximum of the report, and a click selects it. */

import { reported } from "./support/report";
import { recording, SYSTEM } from "./support/traces";
import { expect, test, type Viewer } from "./support/viewer";

const INTERVAL = ["--interval", 'kind == "thread resume" -> kind == "thread suspend" [by object]'];

const digits = (text: string) => Number(text.replace(/\D/g, ""));

/** Adds a graph, and waits for its points. */
async function add(viewer: Viewer, title: string) {
  const panel = await viewer.panel("Graphs");
  await panel.getByRole("combobox", { name: "Add a graph" }).selectOption(title);
  const graph = panel.getByRole("group", { name: `Graph ${title}` });
  await expect(graph.locator(".graph-class .link")).toBeVisible();
  return graph;
}

test("a plot has the maximum of the report, and a click selects its event", async ({ open }) => {
  const viewer = await open(SYSTEM, { options: INTERVAL });
  await test.step("a click on the largest response time selects its event", async () => {
    const { page } = viewer;
    const { latency } = await reported(viewer.file, []);
    const row = latency.threads.find(({ name }) => name === "ui");
    const response = row?.response;
    if (!response) throw new Error("no response times");
    const graph = await add(viewer, "ui: response time");
    const link = graph.locator(".graph-class .link");
    expect(digits(await link.innerText())).toBe(response.max);

    // The point is at the time of its event, and its value at its height.
    const plot = graph.locator(".graph-plot");
    const [box, overview] = await Promise.all([plot.boundingBox(), viewer.overview()]);
    if (box === null) throw new Error("there is no plot");
    const place = await viewer.query({ query: "locate", axis: "index", at: response.event });
    const top = digits(await graph.locator(".graph-scale").innerText());
    const x = box.x + ((place?.time ?? 0) / overview.span) * box.width;
    const y = box.y + box.height - 5 - (response.max / top) * (box.height - 10);
    await page.mouse.move(x, y);
    await expect(graph.locator(".graph-value")).toContainText("event");
    const shown = await graph.locator(".graph-value").innerText();
    expect(shown.split(", ").map(digits)).toEqual([response.max, response.event]);
    await page.mouse.click(x, y);
    await viewer.expectSelected(response.event);
  });
  await test.step("the link beside a plot selects the largest visible point", async () => {
    const { latency } = await reported(viewer.file, []);
    for (const [measure, title] of [
      ["wake_up", "wake-up latency"],
      ["period", "period"],
      ["jitter", "jitter"],
    ] as const) {
      const found = latency.threads.find(({ name }) => name === "sensor")?.[measure];
      if (!found) throw new Error(`no ${title}`);
      const graph = await add(viewer, `sensor: ${title}`);
      const link = graph.locator(".graph-class .link");
      expect(digits(await link.innerText())).toBe(found.max);
      await link.click();
      await viewer.expectSelected(found.event);
      await graph.getByRole("button", { name: `Remove graph sensor: ${title}` }).click();
      await expect(graph).toHaveCount(0);
    }
  });
  await test.step("run lengths are those of the report", async () => {
    const { periods } = await reported(viewer.file);
    const run = periods.find(({ name, kind }) => name === "ui" && kind === "thread")?.run;
    if (!run) throw new Error("no runs");
    const graph = await add(viewer, "ui: run length");
    const link = graph.locator(".graph-class .link");
    expect(digits(await link.innerText())).toBe(run.max);
    await link.click();
    await viewer.expectSelected(run.event);
  });
  await test.step("routines and intervals are plotted, too", async () => {
    const { periods, intervals } = await reported(viewer.file, INTERVAL);
    const routine = periods.find(({ kind, response }) => kind === "interrupt" && response !== null);
    const [interval] = intervals ?? [];
    if (!routine?.response || !interval?.duration) throw new Error("nothing to plot");
    const durations = await add(viewer, `${routine.name}: duration`);
    expect(digits(await durations.locator(".graph-class .link").innerText())).toBe(
      routine.response.max,
    );
    const plotted = await add(viewer, interval.name);
    const link = plotted.locator(".graph-class .link");
    expect(digits(await link.innerText())).toBe(interval.duration.max);
    await link.click();
    await viewer.expectSelected(interval.duration.event);
  });
});

test("arguments of user events are plotted as numbers", async ({ open }) => {
  const viewer = await open(recording("linux32_userevents"));
  const [kind] = (await viewer.overview()).user_events;
  if (!kind) throw new Error("no user events");
  const graph = await add(viewer, `${kind.name}: info2`);
  const plot = await viewer.query({
    query: "plot",
    source: { kind: "event", number: kind.number, argument: "info2" },
    window: { axis: "index", start: 0, end: (await viewer.overview()).events },
    width: 1000,
  });
  const max = Math.max(...plot.values);
  const link = graph.locator(".graph-class .link");
  // A number, not a duration.
  expect((await link.innerText()).replace(/\s/g, "")).toBe(String(max));
  await link.click();
  await viewer.expectSelected(plot.events[plot.values.indexOf(max)] ?? -1);
});
