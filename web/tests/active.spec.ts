/** Traces of active objects: state machines, posts, diagrams, reports. */

import { execFileSync } from "node:child_process";
import type { Locator } from "@playwright/test";
import type { Post } from "../src/session/wire";
import { reported } from "./support/report";
import { program } from "./support/server";
import { spotOf } from "./support/spot";
import { RULER } from "./support/timeline";
import { ACTIVE, SYSTEM } from "./support/traces";
import { expect, test, type Viewer } from "./support/viewer";

const CLOSE = "trace=0&axis=time&from=4900&to=6300";

/** Posts in the visible interval. */
async function posts(viewer: Viewer): Promise<Post[]> {
  const { axis = "time", from = 0, to = 0 } = spotOf(viewer.page);
  return (
    await viewer.query({ query: "posts", window: { axis, start: from, end: to }, limit: 1000 })
  ).posts;
}

/** A point in the middle of an arrow: between the lanes of two active objects. */
async function middleOf(viewer: Viewer, post: Post): Promise<{ x: number; y: number }> {
  const { contexts } = await viewer.overview();
  const name = (context: number | null) => contexts[context ?? -1]?.name ?? "";
  const [start, end] = await Promise.all([
    viewer.timeline.point(name(post.sender_context), post.time),
    viewer.timeline.point(name(post.receiver), post.step_time ?? 0),
  ]);
  // The arrow ends at the edge of the lane.
  const row = await viewer.timeline.row(name(post.receiver)).boundingBox();
  const edge = end.y + (start.y < end.y ? -1 : 1) * ((row?.height ?? 0) / 2 - 1);
  return { x: (start.x + end.x) / 2, y: (start.y + edge) / 2 };
}

/** A post between two active objects whose arrow is completely visible. */
async function between(viewer: Viewer): Promise<Post> {
  const { from = 0, to = 0 } = spotOf(viewer.page);
  const found = (await posts(viewer)).find(
    (post) =>
      post.sender_context !== null &&
      post.sender_context !== post.receiver &&
      post.step_time !== null &&
      post.time > from &&
      post.step_time < to,
  );
  if (!found) throw new Error("no post between two active objects here");
  return found;
}

async function side(viewer: Viewer, title: string): Promise<Locator> {
  const panel = await viewer.panel(title);
  await expect(panel).toBeVisible();
  return panel;
}

/** Saves a diagram in formats; each file has a name, a beginning and a text. */
async function expectSaved(
  viewer: Viewer,
  panel: Locator,
  text: string,
  files: [format: string, name: string, begins: string][],
): Promise<void> {
  const formats = panel.getByRole("combobox", { name: "Save diagram as" });
  for (const [format, name, begins] of files) {
    const file = await viewer.saved(() => formats.selectOption(format));
    expect(file.name).toBe(name);
    expect(file.text.slice(0, 1000)).toContain(begins);
    expect(file.text).toContain(text);
  }
}

test("active objects have lanes with their states, and the number of posts", async ({ open }) => {
  const viewer = await open(ACTIVE);
  await test.step("the overview shows the events: no load is known", async () => {
    const columns = async () => (await viewer.timeline.overviewPicture()).countOf("--bar");
    await expect.poll(columns).toBeGreaterThan(20);
  });
  await test.step("each active object has a state lane right below", async () => {
    const { machines, contexts } = await viewer.overview();
    expect(machines.length).toBeGreaterThan(2);
    const names = await viewer.timeline.rowNames();
    for (const { context } of machines) {
      const name = contexts[context]?.name ?? "";
      expect(names[names.indexOf(name) + 1]).toBe(`${name}: states`);
    }
    await viewer.timeline.row("server").focus();
    await viewer.press("ArrowLeft");
    await expect(viewer.timeline.row("server: states")).toHaveCount(0);
    await expect
      .poll(() => spotOf(viewer.page).lanes ?? "", { message: "lanes in the address" })
      .toContain("machines=off");
    await viewer.press("ArrowRight");
    await expect(viewer.timeline.row("server: states")).toBeVisible();
  });
  await test.step("a bar has the colour of its state, and its tooltip names the state", async () => {
    await viewer.reset();
    const { page, timeline } = viewer;
    await viewer.press("Shift+A");
    await viewer.timeline.rested();
    await timeline.settled();
    const { lanes, classes, machines } = await viewer.overview();
    const box = await timeline.box();
    const picture = await timeline.picture();
    let checked = 0;
    for (const { context } of machines) {
      const lane = lanes.findIndex((one) => one.kind === "machine" && one.context === context);
      for (const at of [4000, 7777, 9000, 13_000, 17_000]) {
        const [probe] = await viewer.query({ query: "probe", axis: "time", at, lanes: [lane] });
        const name = classes.find(({ code }) => code === probe?.class)?.name ?? "";
        // An edge may be anywhere within a pixel; names are at the left of bars.
        if (!probe || !name.startsWith("state-") || at - probe.start < 500 || probe.end - at < 100)
          continue;
        const { x, y } = await timeline.point(lanes[lane]?.name ?? "", at);
        expect(
          picture.has(`--lane-${name}`, x - box.x, y - box.y - 3, y - box.y + 3),
          `${probe.text} at ${at}`,
        ).toBe(true);
        checked += 1;
      }
    }
    expect(checked).toBeGreaterThan(4);
    const { x, y } = await timeline.point("server: states", 7900);
    await page.mouse.move(x, y);
    await expect(page.getByRole("tooltip")).toContainText("server: in state s_busy");
  });
  await test.step("posts are counted if there are too many to draw", async () => {
    await viewer.reset();
    const { page } = viewer;
    const note = page.getByText("posts: zoom in to see arrows");
    await expect(note).toHaveCount(0);
    const { span } = await viewer.overview();
    const { total } = await viewer.query({
      query: "posts",
      window: { axis: "time", start: 0, end: span },
      limit: 0,
    });
    await viewer.resize(900, 700);
    await viewer.command("Event details");
    await viewer.resize(440, 700);
    await expect(note).toHaveText(new RegExp(`^${total} posts`));
    await viewer.whileMoving(() => viewer.press("w", "w", "w", "w", "w"));
    await expect(note).toHaveCount(0);
  });
});

test("arrows, queue levels and states are drawn, on the page and in an exported image", async ({
  open,
}) => {
  const viewer = await open(ACTIVE, { at: CLOSE });
  await test.step("arrows lead from sender to receiver", async () => {
    const { page, timeline } = viewer;
    const post = await between(viewer);
    const { x, y } = await middleOf(viewer, post);
    await page.mouse.move(x, y);
    const tooltip = page.getByRole("tooltip");
    await expect(tooltip).toContainText(post.signal_name);
    await expect(tooltip).toContainText(post.sender_name);
    await expect(tooltip).toContainText(`event ${post.event}`);
    await page.mouse.click(x, y);
    await viewer.expectSelected(post.event);
    await page.mouse.move(2, 2);
    await timeline.settled();
    const box = await timeline.box();
    // The arrow of the selected event is emphasised, even between lanes.
    const has = async () =>
      (await timeline.picture()).has("--lane-selected", x - box.x, y - box.y - 3, y - box.y + 3);
    expect(await has()).toBe(true);
    await viewer.press("Shift+A");
    await expect.poll(has).toBe(false);
    await expect(page.getByRole("button", { name: "Show post arrows" })).toHaveAttribute(
      "aria-pressed",
      "false",
    );
  });
  await test.step("queue levels are graphs in the lanes", async () => {
    await viewer.reset(CLOSE);
    const { timeline } = viewer;
    const { levels } = await viewer.overview();
    const level = levels.find(({ context, name }) => context !== null && name.includes("server"));
    expect(level).toBeDefined();
    await timeline.settled();
    const count = async () => (await timeline.picture()).countOf("--lane-depth-edge");
    await expect.poll(count).toBeGreaterThan(100);
    const shown = await count();
    await viewer.press("Shift+Q");
    // Icons may have a similar colour.
    await expect.poll(count).toBeLessThan(shown - 60);
  });
  await test.step("an exported image has states and arrows", async () => {
    await viewer.reset(CLOSE);
    const { text } = await viewer.saved(() => viewer.press("Shift+V"));
    expect(text).toContain("s_busy");
    expect(text).toContain("SG_JOB");
    expect(text).toMatch(/<path d="M[\d. -]+C/);
    const height = (await viewer.timeline.box()).height;
    expect(Number(/height="([\d.]+)"/.exec(text)?.[1])).toBeGreaterThanOrEqual(
      Math.floor(height) - RULER,
    );
  });
});

test("a sequence diagram follows the view and its options, and is saved", async ({ open }) => {
  const viewer = await open(ACTIVE, { at: CLOSE });
  await test.step("the sequence diagram follows the view, and its elements link to events", async () => {
    const { page } = viewer;
    await viewer.press("q");
    const panel = page.getByRole("tabpanel", { name: "Sequence" });
    const diagram = panel.getByRole("group", { name: "Sequence diagram" });
    const label = (text: string) => diagram.locator("text.label", { hasText: text });
    await expect(label("SG_JOB")).toBeVisible();
    await expect(label("SG_DONE")).toHaveCount(0);
    const mark = diagram.locator("[data-event]", {
      has: page.locator("text.label", { hasText: "SG_JOB" }),
    });
    const event = Number(await mark.getAttribute("data-event"));
    await label("SG_JOB").click();
    await viewer.expectSelected(event);
    await expect(diagram.locator("[data-picked]").first()).toHaveAttribute(
      "data-event",
      String(event),
    );
    await diagram.focus();
    await viewer.press("ArrowDown");
    await expect.poll(() => spotOf(page).event).toBeGreaterThan(event);
    await panel.getByRole("button", { name: "Freeze" }).click();
    await page.evaluate(() => {
      location.hash = "trace=0&axis=time&from=0&to=3000&side=sequence";
    });
    await viewer.timeline.rested();
    await expect(label("SG_JOB")).toBeVisible();
    await panel.getByRole("button", { name: "Follow view" }).click();
    await expect(label("initial transition").first()).toBeVisible();
    await expect(label("SG_JOB")).toHaveCount(0);
  });
  await test.step("a sequence diagram follows its options", async () => {
    await viewer.reset(CLOSE);
    const panel = await side(viewer, "Sequence");
    const diagram = panel.getByRole("group", { name: "Sequence diagram" });
    const states = diagram.locator(".state");
    await expect(states.first()).toBeVisible();
    await panel.getByRole("checkbox", { name: "States" }).uncheck();
    await expect(diagram.locator(".row.state")).toHaveCount(0);
    const before = await diagram.locator(".row").count();
    await panel.getByRole("checkbox", { name: "Actions" }).check();
    await expect.poll(() => diagram.locator(".row").count()).toBeGreaterThan(before);
    await panel.getByText("All active objects").click();
    await panel.getByRole("checkbox", { name: "wrk1" }).check();
    await expect(diagram.locator(".head", { hasText: "wrk2" })).toHaveCount(0);
  });
  await test.step("a sequence diagram can be saved", async () => {
    await viewer.reset(CLOSE);
    const panel = await side(viewer, "Sequence");
    await expectSaved(viewer, panel, "SG_JOB", [
      ["SVG image", "nat_short-sequence.svg", "<svg"],
      ["Mermaid", "nat_short-sequence.mmd", "sequenceDiagram"],
      ["PlantUML", "nat_short-sequence.puml", "@startuml"],
      ["Msc-generator", "nat_short-sequence.signalling", ""],
    ]);
  });
});

test("a state machine shows the current state, and is saved", async ({ open }) => {
  const viewer = await open(ACTIVE, { at: `${CLOSE}&event=230` });
  await test.step("the state machine is drawn, and shows the current state", async () => {
    const { page } = viewer;
    await viewer.expectSelected(230);
    await viewer.press("h");
    const panel = page.getByRole("tabpanel", { name: "State machine" });
    const diagram = panel.getByRole("group", { name: "State machine of server" });
    // Graphviz is loaded on first use.
    await expect(diagram.locator(".node", { hasText: "s_busy" })).toBeVisible();
    await expect(diagram.locator("[data-now]")).toHaveText(/s_idle/);
    await panel.getByRole("button", { name: "Next transition" }).click();
    await expect.poll(() => spotOf(page).event).toBeGreaterThan(230);
    const { machines } = await viewer.overview();
    const state = machines[0]?.states.findIndex(({ name }) => name === "s_busy") ?? -1;
    const context = machines[0]?.context ?? 0;
    const from = spotOf(page).event ?? 0;
    const next = await viewer.query({
      query: "step",
      from,
      direction: "next",
      by: { mode: "state", context, state },
    });
    await diagram.locator(".node", { hasText: "s_busy" }).click();
    await viewer.expectSelected(next?.event);
    await expect(diagram.locator("[data-now]")).toHaveText(/s_busy/);
    await panel.getByRole("combobox", { name: "State machine of" }).selectOption("wrk1");
    await expect(
      panel
        .getByRole("group", { name: "State machine of wrk1" })
        .locator(".node", { hasText: "w_wait" }),
    ).toBeVisible();
  });
  await test.step("a state machine can be saved", async () => {
    await viewer.reset();
    const panel = await side(viewer, "State machine");
    await expect(panel.locator(".node", { hasText: "s_busy" })).toBeVisible();
    await expectSaved(viewer, panel, "s_busy", [
      ["SVG image", "nat_short-server.svg", "<svg"],
      ["DOT (Graphviz)", "nat_short-server.dot", "digraph"],
      ["Mermaid", "nat_short-server.mmd", "stateDiagram-v2"],
    ]);
  });
});

test("figures of active objects are the same everywhere and on the command line", async ({
  open,
}) => {
  const viewer = await open(ACTIVE);
  await test.step("the share of a state is the same in the diagram, the legend, the report and on the command line", async () => {
    const text = execFileSync(program(), ["report", ACTIVE, "states"], { encoding: "utf8" });
    const { states } = await reported(viewer.file);
    const server = (states.find(({ object }) => object === "server")?.states ?? []).map((one) => ({
      ...one,
      share: `${one.percent?.toFixed(1)} %`,
    }));
    expect(server.length).toBeGreaterThan(1);
    const machine = await side(viewer, "State machine");
    const diagram = machine.getByRole("group", { name: "State machine of server" });
    await expect(diagram.locator(".node", { hasText: "s_busy" })).toBeVisible();
    for (const { state, share, visits } of server) {
      await expect(diagram.locator(".node", { hasText: state })).toContainText(
        `×${visits} · ${share}`,
      );
    }
    const legend = (await viewer.panel("Legend")).getByRole("list", { name: "States of server" });
    for (const { state, share, visits } of server) {
      await expect(legend.getByRole("listitem").filter({ hasText: state })).toContainText(
        `${visits} ×${share}`,
      );
    }
    const reports = await viewer.panel("Reports");
    await reports
      .getByRole("combobox", { name: "Report", exact: true })
      .selectOption({ label: "States" });
    const table = reports.getByRole("table", { name: "States of server", exact: true });
    for (const { state, share } of server) {
      await expect(table.getByRole("row").filter({ hasText: state })).toContainText(share);
      expect(text).toMatch(new RegExp(`${state} .*${share.replace(".", "\\.")}`));
    }
  });
  await test.step("reports on active objects match the command line", async () => {
    const all = await reported(viewer.file);
    const panel = await viewer.panel("Reports");
    const report = async (title: string) => {
      await panel.getByRole("combobox", { name: "Report" }).selectOption(title);
      await expect(panel.locator("[aria-busy=false]")).toBeVisible();
    };
    const rows = (label: string) =>
      panel.getByRole("table", { name: label, exact: true }).locator("tbody tr");
    await report("Active objects");
    await expect(rows("Active objects")).toHaveCount(all.active.length);
    await expect(rows("Active objects").first()).toContainText(all.active[0]?.name ?? "");
    await expect(rows("Active objects").first()).toContainText(
      `${all.active[0]?.busy_percent?.toFixed(1)} %`,
    );
    await report("Signals");
    await expect(rows("Signals")).toHaveCount(all.signals.length);
    await report("States");
    for (const { object, states } of all.states) {
      await expect(rows(`States of ${object}`)).toHaveCount(states.length);
    }
    await report("Transitions");
    await expect(rows("Transitions")).toHaveCount(all.transitions.taken.length);
    await expect(rows("States never entered")).toHaveCount(
      all.transitions.states_never_entered.length,
    );
    await report("Timers");
    await expect(rows("Timers")).toHaveCount(all.timers.length);
    await report("Signals");
    const [most] = all.signals.toSorted((one, other) => other.posted - one.posted);
    await rows("Signals").first().getByRole("button").first().click();
    await viewer.expectSelected(most?.slowest?.post_event);
    await report("Active objects");
    await rows("Active objects").first().getByRole("button", { name: "server" }).click();
    await expect(viewer.page.getByRole("tabpanel", { name: "State machine" })).toBeVisible();
  });
  await test.step("the legend lists the states of each state machine", async () => {
    const { machines, contexts } = await viewer.overview();
    const panel = await viewer.panel("Legend");
    for (const { context, states } of machines) {
      const list = panel.getByRole("list", { name: `States of ${contexts[context]?.name}` });
      await expect(list.getByRole("button")).toHaveText(states.map(({ name }) => name));
    }
    await viewer.select(0);
    await panel
      .getByRole("list", { name: "States of server" })
      .getByRole("button", { name: "s_busy" })
      .click();
    await expect.poll(() => spotOf(viewer.page).event).toBeGreaterThan(0);
    await expect(viewer.page.getByRole("combobox", { name: "Step by" })).toHaveValue(/^state /);
  });
});

test("a trace of threads has no panels and commands for active objects", async ({ open }) => {
  const viewer = await open([SYSTEM, ACTIVE], { at: "trace=0&side=machine" });
  const { page } = viewer;
  const tabs = page.getByRole("tablist", { name: "Side panel" });
  await expect(tabs.getByRole("tab", { name: "Trace" })).toHaveAttribute("aria-selected", "true");
  await expect(tabs.getByRole("tab", { name: /Sequence|State machine/ })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Show post arrows" })).toHaveCount(0);
  await viewer.press("q");
  await expect(tabs.getByRole("tab", { name: "Trace" })).toHaveAttribute("aria-selected", "true");
  await viewer.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).not.toContainText(
    "Sequence diagram",
  );
  await viewer.press("Escape", "]");
  await expect(tabs.getByRole("tab", { name: "State machine" })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await viewer.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toContainText(
    "Sequence diagram",
  );
});
