/** A dragged range and its figures, which are those of `rtoscope report --from --to`. */

import type { Locator } from "@playwright/test";
import { reported } from "./support/report";
import { SMP, SYSTEM } from "./support/traces";
import { expect, test, type Viewer } from "./support/viewer";

const digits = (text: string | undefined) => Number((text ?? "").replace(/\D/g, ""));

/** The panel, once its figures are those of the range. */
async function rangePanel({ page, timeline }: Viewer): Promise<Locator> {
  const panel = page.getByRole("tabpanel", { name: "Range" });
  await expect(panel.locator("[aria-busy=false]")).toBeVisible();
  await timeline.idle();
  await expect(panel.locator("[aria-busy=false]")).toBeVisible();
  return panel;
}

/** Cells of a table by row. */
function cells(table: Locator): Promise<string[][]> {
  return table.evaluate((element) =>
    [...element.querySelectorAll("tbody tr")].map((row) =>
      [...row.querySelectorAll("td")].map((cell) => (cell.textContent ?? "").trim()),
    ),
  );
}

/** The first and the last tick of the range. */
async function edges(panel: Locator): Promise<[number, number]> {
  const [from, to] = await Promise.all(
    ["range-from", "range-to"].map((id) => panel.getByTestId(id).innerText()),
  );
  return [digits(from), digits(to)];
}

/** Compares all figures of the panel with the command line. */
async function expectReport(viewer: Viewer): Promise<void> {
  const panel = await rangePanel(viewer);
  const [from, to] = await edges(panel);
  expect(to).toBeGreaterThan(from);
  const report = await reported(viewer.file, ["--from", String(from), "--to", String(to)]);
  const profile = await cells(panel.getByRole("table", { name: "CPU time" }));
  expect(profile.map(([context = "", ticks]) => [context, digits(ticks)])).toEqual(
    report.profile
      .toSorted((one, other) => other.duration - one.duration)
      .map(({ context, duration }) => [context, duration]),
  );
  const services = await cells(panel.getByRole("table", { name: "Services and events" }));
  expect(services.map(([name = "", , , count]) => [name, digits(count)])).toEqual(
    report.services.map(({ name, count }) => [name, count]),
  );
  const counts = panel.getByLabel("Scheduler counts");
  const figure = (name: string) => counts.locator(`dt:text-is("${name}") + dd`).innerText();
  expect(digits(await figure("Context switches"))).toBe(report.performance.context_switches);
  expect(digits(await figure("Suspensions"))).toBe(report.performance.suspensions);
  expect(digits(await figure("Interrupts"))).toBe(report.performance.interrupts);
  const waits = report.latency.threads.flatMap(({ name, waited }) =>
    waited.map(({ object, reason, duration }) => [name, object ?? reason, duration.max] as const),
  );
  const shown =
    waits.length === 0
      ? []
      : await cells(panel.getByRole("table", { name: "Duration: Longest waits" }));
  expect(shown).toHaveLength(waits.length);
  const longest = shown.map(([thread = "", on = "", , ticks]) => [thread, on, digits(ticks)]);
  expect(longest).toEqual(
    waits.toSorted(([, , one], [, , other]) => other - one).map((wait) => [...wait]),
  );
}

test("a dragged range, the visible part and A to B have the figures of the command line", async ({
  open,
}) => {
  const viewer = await open(SYSTEM);
  await test.step("a drag shows the figures of the range beside it", async () => {
    const { page, timeline } = viewer;
    await timeline.dragRange(0.2, 0.55);
    await expectReport(viewer);
    // Backwards, closer, in the sequential view.
    await timeline.dragRange(0.8, 0.6);
    await expectReport(viewer);
    await viewer.whileMoving(() => viewer.press("w", "w", "w", "w"));
    await timeline.dragRange(0.3, 0.7);
    await expectReport(viewer);
    await viewer.press("t");
    await viewer.timeline.rested();
    await timeline.dragRange(0.1, 0.4);
    await expectReport(viewer);
    await viewer.press("Escape");
    await expect(page.getByRole("tab", { name: "Range" })).toHaveCount(0);
    await expect(page.getByRole("tabpanel", { name: "Range" })).toHaveCount(0);
  });
  await test.step("the visible part or A to B becomes the range", async () => {
    await viewer.reset();
    const { page, timeline } = viewer;
    await viewer.command("Select the visible part as range");
    const panel = page.getByRole("tabpanel", { name: "Range" });
    await expectReport(viewer);
    expect(await edges(panel)).toEqual([0, (await viewer.overview()).span]);
    await panel.getByRole("button", { name: "Clear" }).click();
    await viewer.select(500);
    await viewer.press("m");
    await viewer.select(900);
    await viewer.press("Shift+M");
    await viewer.command("Select the range from A to B");
    await expectReport(viewer);
    const { rows } = await viewer.query({ query: "events", offset: 500, limit: 401, search: null });
    expect(await edges(panel)).toEqual([rows[0]?.time, rows.at(-1)?.time]);
    await timeline.settled();
  });
  await test.step("a report on the range stays open", async () => {
    await viewer.reset();
    const { page, timeline } = viewer;
    await timeline.dragRange(0.2, 0.5);
    const reports = await viewer.panel("Reports");
    await reports.getByRole("button", { name: "Range" }).click();
    await timeline.dragRange(0.4, 0.5);
    await expect(reports).toBeVisible();
    await reports.getByRole("button", { name: "Visible" }).click();
    await timeline.dragRange(0.1, 0.2);
    await expect(page.getByRole("tabpanel", { name: "Range" })).toBeVisible();
  });
});

test("selected lanes have their figures in one table", async ({ open, context }) => {
  const viewer = await open(SYSTEM);
  const { page, timeline } = viewer;
  await timeline.row("alarm").click();
  await timeline.row("ui").click({ modifiers: ["Control"] });
  await expect(timeline.row("ui")).toHaveAttribute("aria-selected", "true");
  await timeline.dragRange(0.2, 0.8);
  const panel = await rangePanel(viewer);
  const table = panel.getByRole("table", { name: "Selected lanes" });
  await expect(table.getByRole("row")).toHaveCount(3);
  const [from, to] = await edges(panel);
  const part = ["--from", String(from), "--to", String(to)];
  const report = await reported(viewer.file, part);
  for (const [name = "", cpuTime, , runs, , , waits, longestWait, wakeUp] of await cells(table)) {
    const figures = report.profile.find(({ context }) => context === name);
    const latency = report.latency.threads.find((one) => one.name === name);
    const durations = latency?.waited.map(({ duration }) => duration) ?? [];
    expect(digits(cpuTime), name).toBe(figures?.duration);
    expect(digits(runs), name).toBeGreaterThan(0);
    expect(digits(waits), name).toBe(durations.reduce((sum, { count }) => sum + count, 0));
    expect(digits(longestWait), name).toBe(Math.max(0, ...durations.map(({ max }) => max)));
    expect(digits(wakeUp), name).toBe(latency?.wake_up?.max ?? 0);
  }
  await test.step("which is copied, and has a command", async () => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await panel.getByRole("button", { name: "Copy Selected lanes as CSV" }).click();
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(copied).toMatch(/^Thread,CPU time,Share,Runs,.*\r\n(alarm|ui),/);
    const { contexts } = await viewer.overview();
    const addresses = contexts.flatMap(({ name, address }) =>
      name === "alarm" || name === "ui" ? address : [],
    );
    await panel.getByRole("button", { name: "Copy the command" }).click();
    await expect.poll(copied).toContain(`--threads ${addresses.join(",")}`);
    const options = [...part, "--threads", addresses.join(",")];
    const names = (await reported(viewer.file, options)).threads.map(({ name }) => name);
    expect(names.toSorted()).toEqual(["alarm", "ui"]);
  });
  await test.step("until all threads are asked for", async () => {
    await panel.getByRole("button", { name: "all threads" }).click();
    await expect(table).toBeHidden();
    await expect(timeline.row("ui")).toHaveAttribute("aria-selected", "false");
    await expectReport(viewer);
  });
  await test.step("a lane's menu shows the figures of the visible part", async () => {
    await panel.getByRole("button", { name: "Clear" }).click();
    await timeline.row("sensor").click({ button: "right" });
    await page.getByRole("menuitem", { name: "Figures in the range or the visible part" }).click();
    await expect(table.getByRole("row")).toHaveCount(2);
  });
});

test("a thread's preemptions are in its details and in its lane's menu", async ({ open }) => {
  const viewer = await open(SYSTEM);
  const { page, timeline } = viewer;
  const { contexts } = await viewer.overview();
  const { preemptions } = await reported(viewer.file);
  const [most] = preemptions;
  if (!most) throw new Error("no thread was preempted");
  const own = preemptions.filter(({ thread }) => thread === most.thread);
  const times = own.reduce((sum, { count }) => sum + count, 0);
  const of = contexts.findIndex(({ name }) => name === most.thread);
  const found = await viewer.query({
    query: "step",
    from: 0,
    direction: "next",
    by: { mode: "context", context: of },
  });
  await viewer.select(found?.event ?? 0);
  const link = page.getByRole("button", { name: `preempted ${times} times, most by ${most.by}` });
  await link.click();
  const report = await viewer.panel("Reports");
  const table = report.getByRole("table", { name: "Preemptions", exact: true });
  await expect(table.getByRole("row")).toHaveCount(own.length + 1);
  await test.step("the longest leads to its events", async () => {
    const longest = report.getByRole("table", { name: /^Time without a core/ });
    await longest
      .getByRole("row")
      .nth(1)
      .getByTitle(/^Zoom to this interval/)
      .click();
    await timeline.rested();
    expect((await timeline.part()).length).toBeLessThan((await viewer.overview()).span);
  });
  await test.step("the menu shows those of the visible part", async () => {
    await timeline.row(most.thread).click({ button: "right" });
    await page.getByRole("menuitem", { name: "Who preempted it" }).click();
    await expect(report.getByRole("button", { name: "Visible" })).toHaveAttribute(
      "aria-pressed",
      "true",
    );
  });
});

test("the figures of a range are copied, and shown of several cores", async ({ open, context }) => {
  const viewer = await open(SYSTEM);
  await test.step("all figures are copied as tables", async () => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await viewer.timeline.dragRange(0.2, 0.55);
    const panel = await rangePanel(viewer);
    const [from, to] = await edges(panel);
    await panel.getByRole("button", { name: "Copy as table" }).click();
    const copied = () => viewer.page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(copied).toContain("Services and events\n");
    const text = await copied();
    const { profile, events } = await reported(viewer.file, [
      "--from",
      String(from),
      "--to",
      String(to),
    ]);
    expect(text).toContain(`From\tTo\tDuration\tEvents\n${from}\t${to}\t${to - from}\t${events}\n`);
    for (const { context: name, duration: ticks } of profile.filter(
      ({ duration }) => duration > 0,
    )) {
      expect(text).toContain(`\n${name}\t${ticks}\t`);
    }
    expect(text).toContain("\nLongest waits\nThread\t");
    await panel.getByRole("button", { name: "Copy the command" }).click();
    await expect
      .poll(copied)
      .toBe(
        `rtoscope report ${viewer.named} profile performance services latency --from ${from} --to ${to}`,
      );
  });
  await test.step("of several cores", async () => {
    const viewer = await open(SMP);
    await viewer.timeline.dragRange(0.3, 0.6);
    await expectReport(viewer);
  });
});
