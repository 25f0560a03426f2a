/**
 * Reports beside the timeline; their figures are those of the command line.
 *
 * TraceX: "Execution Profile", "Performance Statistics", "Thread Stack Usage", "Popular Services",
 * "FileX Statistics", "NetX Statistics"; all but the latter two with sortable columns.
 */

import type { Locator } from "@playwright/test";
import type { ReportDocument } from "../src/session/reports";
import { reported } from "./support/report";
import { partOf } from "./support/spot";
import { ACTIVE, FILES, SMP, SYSTEM } from "./support/traces";
import { expect, test, type Viewer } from "./support/viewer";

async function report(viewer: Viewer, title: string): Promise<Locator> {
  const panel = await viewer.panel("Reports");
  await panel.getByRole("combobox", { name: "Report" }).selectOption(title);
  await expect(panel.locator("[aria-busy=false]")).toBeVisible();
  return panel;
}

/** Texts of a table by column title. */
async function rowsOf(table: Locator): Promise<Record<string, string>[]> {
  return table.evaluate((element) => {
    const text = (cell: Element) => (cell.textContent ?? "").replace(/[▾▴\u202f]/g, "").trim();
    const titles = [...element.querySelectorAll("th")].map(text);
    return [...element.querySelectorAll("tbody tr")].map((row) =>
      Object.fromEntries(
        [...row.querySelectorAll("td")].map((cell, at) => [titles[at] ?? "", text(cell)]),
      ),
    );
  });
}

/** A list of named figures. */
async function figuresOf(list: Locator): Promise<Record<string, string>> {
  return list.evaluate((element) =>
    Object.fromEntries(
      [...element.querySelectorAll("dt")].map((name) => [
        name.textContent ?? "",
        (name.nextElementSibling?.textContent ?? "").replace(/\u202f/g, ""),
      ]),
    ),
  );
}

const number = (text: string | undefined) => Number((text ?? "").replace(/[^\d.]/g, ""));

test("the figures of the system are those of the command line", async ({ open }) => {
  const viewer = await open(SYSTEM);
  await test.step("execution profile", async () => {
    const { profile } = await reported(viewer.file);
    const panel = await report(viewer, "CPU time");
    const rows = await rowsOf(panel.getByRole("table").first());
    const shown = profile.filter(({ duration }) => duration > 0);
    for (const { context, duration: ticks, percent } of shown) {
      const row = rows.find((one) => Object.values(one).includes(context));
      expect(row, `a row for ${context}`).toBeDefined();
      const figures = Object.values(row ?? {});
      expect(
        figures.some((text) => number(text) === ticks),
        `ticks of ${context}`,
      ).toBe(true);
      expect(
        figures.some(
          (text) => text.endsWith("%") && Math.abs(number(text) - (percent ?? 0)) < 0.06,
        ),
        `percent of ${context}`,
      ).toBe(true);
    }
  });
  await test.step("performance statistics, of the system and of threads", async () => {
    const { performance, threads } = await reported(viewer.file);
    const panel = await report(viewer, "Scheduler counts");
    const figures = await figuresOf(panel.getByLabel("Scheduler counts", { exact: true }));
    expect(figures).toMatchObject({
      "Context switches": String(performance.context_switches),
      "Time slices": String(performance.time_slices),
      Suspensions: String(performance.suspensions),
      Resumptions: String(performance.resumptions),
      Interrupts: String(performance.interrupts),
      "Nested interrupts": String(performance.nested_interrupts),
      "Solicited preemptions": String(performance.preemptions.solicited),
      "Interrupt preemptions": String(performance.preemptions.interrupt),
      "Priority inversions": String(performance.inversions?.total),
      "Unbounded inversions": String(performance.inversions?.unbounded),
    });
    await report(viewer, "Threads");
    const rows = await rowsOf(panel.getByRole("table", { name: "Threads", exact: true }));
    expect(rows).toHaveLength(threads.length);
    for (const { name, suspensions, resumptions } of threads) {
      const row = Object.values(rows.find((one) => Object.values(one)[0] === name) ?? {});
      expect(row, name).toEqual(expect.arrayContaining([String(suspensions), String(resumptions)]));
    }
  });
  await test.step("stack usage", async () => {
    const { stacks } = await reported(viewer.file);
    const panel = await report(viewer, "Stack usage");
    const rows = await rowsOf(panel.getByRole("table", { name: "Stack usage" }));
    expect(rows).toHaveLength(stacks.length);
    for (const { thread, stack_bytes, min_free, used_percent, event } of stacks) {
      const row = rows.find((one) => one.Thread === thread);
      expect(number(row?.Size)).toBe(stack_bytes);
      if (min_free === null) continue;
      expect(number(row?.["Min free"])).toBe(min_free);
      expect(number(row?.Used)).toBeCloseTo(used_percent ?? 0, 0);
      expect(number(row?.["At event"])).toBe(event);
    }
  });
  await test.step("popular services, of the system and of a context", async () => {
    const { services } = await reported(viewer.file);
    const panel = await report(viewer, "Services and events");
    const table = panel.getByRole("table", { name: "Services and events" });
    const rows = await rowsOf(table);
    expect(rows.map((row) => ({ name: row.Event, count: number(row.Count) }))).toEqual(
      services.map(({ name, count }) => ({ name, count })),
    );
    await panel.getByRole("combobox", { name: "Services of context" }).selectOption("ui");
    const { contexts } = await viewer.overview();
    const context = contexts.findIndex(({ name }) => name === "ui");
    const own = (await viewer.query({
      query: "report",
      kinds: ["services"],
      start: null,
      end: null,
      threads: null,
      core: null,
      context,
      anchor: null,
      tables: false,
    })) as { services: { name: string; count: number }[] };
    expect(own.services.length).toBeLessThan(services.length);
    await expect
      .poll(async () => (await rowsOf(table)).map((row) => number(row.Count)))
      .toEqual(own.services.map(({ count }) => count));
  });
});

test("clicks on figures go to events, and clicks on headers sort", async ({ open }) => {
  const viewer = await open(SYSTEM);
  await test.step("priority inversions, and a click shows one", async () => {
    const { page } = viewer;
    const reports = await reported(viewer.file);
    const inversions = reports.inversions.toSorted((one, other) => other.duration - one.duration);
    const panel = await report(viewer, "Priority inversions");
    const table = panel.getByRole("table", { name: "Priority inversions" });
    const rows = await rowsOf(table);
    expect(rows).toHaveLength(inversions.length);
    for (const [at, inversion] of inversions.entries()) {
      expect(rows[at]?.Blocked).toContain(inversion.blocked);
      expect(rows[at]?.Owner).toContain(inversion.owner ?? "");
      expect(number(rows[at]?.Duration)).toBe(inversion.duration);
      expect(number(rows[at]?.["Start event"])).toBe(inversion.first_event);
      expect(rows[at]?.Unbounded).toBe(inversion.unbounded ? "yes" : "no");
    }
    await table.getByRole("button", { name: "zoom" }).nth(1).click();
    const [, second] = inversions;
    await viewer.expectSelected(second?.first_event ?? undefined);
    await expect.poll(() => partOf(page).length).toBeLessThan((second?.duration ?? 0) * 2);
    expect((await viewer.timeline.part()).from).toBeLessThanOrEqual(second?.start ?? 0);
    expect((await viewer.timeline.part()).to).toBeGreaterThanOrEqual(second?.end ?? 0);
  });
  await test.step("a click on a figure goes to its event", async () => {
    const { stacks, findings } = await reported(viewer.file);
    let panel = await report(viewer, "Stack usage");
    const event = stacks.find(({ thread }) => thread === "logger")?.event;
    await panel.getByRole("button", { name: grouped(String(event)), exact: true }).click();
    await viewer.expectSelected(event ?? undefined);
    panel = await report(viewer, "Findings");
    const [finding] = findings;
    await panel
      .getByRole("listitem")
      .filter({ hasText: grouped(finding?.message ?? "") })
      .getByRole("button")
      .click();
    await viewer.expectSelected(finding?.event ?? undefined);
  });
  await test.step("tables are sorted by a click on a column header", async () => {
    const panel = await report(viewer, "Stack usage");
    const table = panel.getByRole("table", { name: "Stack usage" });
    const column = async (title: string) => (await rowsOf(table)).map((row) => row[title] ?? "");
    const header = table.getByRole("columnheader", { name: "Thread" });
    await header.getByRole("button").click();
    await expect(header).toHaveAttribute("aria-sort", "ascending");
    const names = await column("Thread");
    expect(names).toEqual(names.toSorted((one, other) => one.localeCompare(other)));
    await header.getByRole("button").click();
    await expect(header).toHaveAttribute("aria-sort", "descending");
    expect(await column("Thread")).toEqual(names.toReversed());
    const minFree = table.getByRole("columnheader", { name: "Min free" });
    await minFree.getByRole("button").click();
    await expect(minFree).toHaveAttribute("aria-sort", /ascending|descending/);
    const free = (await column("Min free")).filter((text) => text !== "–").map(number);
    expect(free).toEqual(free.toSorted((one, other) => other - one));
  });
});

/** A text with the digits of its long numbers in groups. */
const grouped = (text: string) =>
  text.replaceAll(/\d{4,}/g, (digits) => digits.replaceAll(/\B(?=(\d{3})+$)/g, "\u202f"));

test("a report of the visible interval, of a range or of a core", async ({ open }) => {
  const viewer = await open(SMP);
  const { cores } = await viewer.overview();
  const panel = await report(viewer, "Scheduler counts");
  const figures = () => figuresOf(panel.getByLabel("Scheduler counts", { exact: true }));
  const whole = number((await figures()).Suspensions);
  expect(whole).toBe((await reported(viewer.file)).performance.suspensions);
  await panel.getByRole("button", { name: "Visible" }).click();
  await viewer.press("w", "w", "w", "w");
  await expect.poll(async () => number((await figures()).Suspensions)).toBeLessThan(whole);
  await panel.getByRole("button", { name: "Whole trace" }).click();
  await expect.poll(async () => number((await figures()).Suspensions)).toBe(whole);
  const core = cores.at(-1) ?? 0;
  await report(viewer, "CPU time");
  await panel.getByRole("combobox", { name: "Core" }).selectOption(`Core ${core}`);
  const { profile } = (await viewer.query({
    query: "report",
    kinds: ["profile"],
    start: null,
    end: null,
    threads: null,
    core,
    context: null,
    anchor: null,
    tables: false,
  })) as unknown as ReportDocument;
  const busiest = profile?.toSorted((one, other) => other.duration - one.duration)[0];
  await expect(panel.getByRole("row", { name: busiest?.context ?? "" })).toContainText(
    (busiest?.duration ?? 0).toString().replace(/\B(?=(\d{3})+$)/g, "\u202f"),
  );
});

interface CyclesDocument {
  cycles: { anchor: string; cycles: number };
}

test("the cycles of a report begin with a chosen handler or thread", async ({ open }) => {
  const viewer = await open(SYSTEM);
  const panel = await report(viewer, "Cycles");
  const choice = panel.getByRole("combobox", { name: "Cycles begin with" });
  const names = await choice.locator("option").allInnerTexts();
  expect(names.length).toBeGreaterThan(2);
  const shown = panel.getByLabel("Cycles", { exact: true });
  for (const name of names.slice(1, 4)) {
    await choice.selectOption(name);
    await expect.poll(async () => (await figuresOf(shown))["Begins with"]).toBe(name);
    const { cycles } = (await viewer.query({
      query: "report",
      kinds: ["cycles"],
      start: null,
      end: null,
      threads: null,
      core: null,
      context: null,
      anchor: name,
      tables: false,
    })) as unknown as CyclesDocument;
    expect(await figuresOf(shown)).toMatchObject({ "Complete cycles": String(cycles.cycles) });
  }
  await choice.selectOption(names[0] ?? "");
  const { cycles } = (await reported(viewer.file)) as unknown as CyclesDocument;
  await expect.poll(async () => (await figuresOf(shown))["Begins with"]).toBe(cycles.anchor);
});

test("columns without a value are hidden until they are asked for", async ({ open }) => {
  const viewer = await open(ACTIVE);
  const panel = await report(viewer, "Threads");
  const titles = panel.getByRole("columnheader");
  const filled = await titles.count();
  await panel.getByRole("button", { name: "Show 2 empty columns" }).click();
  await expect(titles).toHaveCount(filled + 2);
  await panel.getByRole("button", { name: "Hide 2 empty columns" }).click();
  await expect(titles).toHaveCount(filled);
});

test("every report shows something, and only text and tables", async ({ open }) => {
  const viewer = await open(FILES);
  await test.step("every report shows something, and only text and tables", async () => {
    const panel = await viewer.panel("Reports");
    const titles = await panel
      .getByRole("combobox", { name: "Report" })
      .locator("option")
      .allInnerTexts();
    expect(titles.length).toBeGreaterThanOrEqual(15);
    for (const title of titles) {
      await report(viewer, title);
      await expect(panel.locator(".report-scope").first()).toBeVisible();
      await expect
        .poll(async () => (await panel.locator(".report").innerText()).length, { message: title })
        .toBeGreaterThan(10);
      await expect(panel.locator(".problem")).toHaveCount(0);
      expect(await panel.locator(".report").innerText(), title).not.toMatch(
        /undefined|NaN|\[object/,
      );
    }
  });
  await test.step("file system statistics", async () => {
    const { filex } = await reported(viewer.file);
    const panel = await report(viewer, "FileX statistics");
    const counted = Object.values(filex).filter((count) => count > 0);
    expect(counted.length).toBeGreaterThan(5);
    const text = async () => (await panel.locator(".report").innerText()).replaceAll("\u202f", "");
    for (const count of counted) await expect.poll(text).toContain(String(count));
  });
});
