/**
 * Searching.
 *
 * TraceX: "Search by Value": context, event ID, info 1-4, Match All Fields / Match Any Field,
 * Previous / Next, "No more results". It has no ranges, texts, names or expressions.
 */

import type { Locator } from "@playwright/test";
import { REFUSED } from "./support/complaints";
import { SYSTEM } from "./support/traces";
import { expect, test, type Viewer } from "./support/viewer";

/** Hits of the server. */
async function found(viewer: Viewer, filter: string): Promise<{ total: number; events: number[] }> {
  const search = { filter };
  const { total, rows } = await viewer.query({ query: "events", offset: 0, limit: 1000, search });
  return { total, events: rows.map(({ event }) => event) };
}

async function searchPanel(viewer: Viewer): Promise<Locator> {
  await viewer.press("f");
  const panel = viewer.page.getByRole("tabpanel", { name: "Search" });
  await expect(panel.getByRole("combobox", { name: "Filter" })).toBeFocused();
  return panel;
}

test("an expression finds the events of the command line, in lists and in the overview", async ({
  open,
}) => {
  const viewer = await open(SYSTEM);
  await test.step("an expression finds the same events as the command line, and steps go from hit to hit", async () => {
    const { page } = viewer;
    const filter = 'kind ~ "*mutex*" and context == ui';
    const { total, events } = await found(viewer, filter);
    expect(total).toBeGreaterThan(20);
    const panel = await searchPanel(viewer);
    await page.keyboard.type(filter);
    await page.keyboard.press("Enter");
    await expect(panel.getByRole("status")).toContainText(`${total} hits`);
    await expect(page.getByRole("contentinfo", { name: "Status" })).toContainText(`${total} hits`);
    await viewer.select(0);
    await panel.getByRole("button", { name: "Next hit" }).click();
    await viewer.expectSelected(events[0]);
    // Keys step by hits from now on.
    await panel.getByRole("button", { name: "Next hit" }).blur();
    await viewer.press("n", "n");
    await viewer.expectSelected(events[2]);
    await panel.getByRole("button", { name: "Previous hit" }).click();
    await viewer.expectSelected(events[1]);
    await viewer.select(events.at(-1) ?? 0);
    await panel.getByRole("button", { name: "Next hit" }).click();
    await expect(page.getByText("No further match.")).toBeVisible();
  });
  await test.step("the hits are listed in the panel and in the event table", async () => {
    await viewer.reset();
    const { page } = viewer;
    const filter = 'object == "spi (plain)"';
    const { total, events } = await found(viewer, filter);
    const panel = await searchPanel(viewer);
    await page.keyboard.type(filter);
    await page.keyboard.press("Enter");
    const hits = panel.getByRole("grid", { name: "Search hits" });
    await expect(hits).toHaveAttribute("aria-rowcount", String(total + 1));
    await hits.getByRole("row").nth(3).click();
    await viewer.expectSelected(events[2]);
    const lower = await viewer.panel("Events");
    await lower.getByRole("checkbox", { name: "Only the" }).check();
    await expect(lower.getByRole("grid", { name: "Hits" })).toHaveAttribute(
      "aria-rowcount",
      String(total + 1),
    );
    await panel.getByRole("button", { name: "Clear" }).click();
    await expect(lower.getByRole("grid", { name: "Events" })).toBeVisible();
  });
  await test.step("hits are marked in the overview", async () => {
    await viewer.reset();
    const { page } = viewer;
    // All hits are in the second half.
    const filter = "event in 2000..2400";
    await searchPanel(viewer);
    const before = await viewer.timeline.overviewPicture();
    await page.keyboard.type(filter);
    await page.keyboard.press("Enter");
    await expect(page.getByText("400 hits").first()).toBeVisible();
    await expect
      .poll(async () => {
        const after = await viewer.timeline.overviewPicture();
        return after.countOf("--hit") - before.countOf("--hit");
      })
      .toBeGreaterThan(20);
    const { rows } = await viewer.query({
      query: "events",
      offset: 2000,
      limit: 400,
      search: null,
    });
    const { span } = await viewer.overview();
    const after = await viewer.timeline.overviewPicture();
    const columns = after.columnsOf("--hit").filter((x) => !before.columnsOf("--hit").includes(x));
    const [first, last] = [rows[0]?.time ?? 0, rows.at(-1)?.time ?? 0];
    for (const x of columns) {
      expect(x / after.width).toBeGreaterThan(first / span - 0.02);
      expect(x / after.width).toBeLessThan(last / span + 0.02);
    }
  });
});

test("words are found, names suggested, and errors explained", async ({ open, complaints }) => {
  const viewer = await open(SYSTEM);
  await test.step("a plain word finds everything that shows it, and names are suggested", async () => {
    complaints.expect(REFUSED);
    const { page } = viewer;
    const { total } = await found(viewer, "mutex");
    expect(total).toBeGreaterThan(20);
    const panel = await searchPanel(viewer);
    await page.keyboard.type("tx_mut");
    const suggested = panel.locator("#filter-suggestions option[label=event]");
    await expect(suggested.first()).toHaveAttribute("value", /^tx_mutex/);
    const filter = panel.getByRole("combobox", { name: "Filter" });
    await filter.fill("mutex ==");
    await page.keyboard.press("Enter");
    await expect(panel.getByRole("alert")).toBeVisible();
    // The problem goes while the filter is corrected.
    await filter.fill("mutex");
    await expect(panel.getByRole("alert")).toBeHidden();
    await page.keyboard.press("Enter");
    await expect(panel.getByRole("status")).toContainText(`${total} hits`);
  });
  await test.step("an invalid filter is explained", async () => {
    await viewer.reset();
    viewer.complaints.expect(REFUSED);
    const { page } = viewer;
    const panel = await searchPanel(viewer);
    await page.keyboard.type("kind == no_such_call");
    await page.keyboard.press("Enter");
    await expect(panel.getByRole("alert")).toContainText("no_such_call");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("kind == (");
    await page.keyboard.press("Enter");
    await expect(panel.getByRole("alert")).toContainText("expected a value");
    await expect(panel.getByRole("combobox", { name: "Filter" })).toHaveAttribute(
      "aria-invalid",
      "true",
    );
    await page.keyboard.press("Control+a");
    await page.keyboard.type("event == 5");
    await page.keyboard.press("Enter");
    await expect(panel.getByRole("alert")).toBeHidden();
    await expect(panel.getByRole("status")).toContainText("1 hit");
  });
});

test("a search by value composes the expression", async ({ open }) => {
  const viewer = await open(SYSTEM);
  const panel = await searchPanel(viewer);
  await panel.getByRole("button", { name: "By value" }).click();
  const form = panel.getByRole("form", { name: "Search by value" });
  await form.getByRole("combobox", { name: "Context" }).fill("logger");
  await form.getByRole("combobox", { name: "Event kind" }).fill("1");
  await form.getByRole("button", { name: "Search by value" }).click();
  const all = await found(viewer, "context == logger and number == 1");
  expect(all.total).toBeGreaterThan(0);
  await expect(panel.getByRole("status")).toContainText(`${all.total} hit`);
  await form.getByRole("radio", { name: "Match any field" }).check();
  await form.getByRole("button", { name: "Search by value" }).click();
  const any = await found(viewer, "context == logger or number == 1");
  expect(any.total).toBeGreaterThan(all.total);
  await expect(panel.getByRole("status")).toContainText(`${any.total} hits`);
  // A range of an argument.
  await form.getByRole("button", { name: "Clear" }).click();
  await form.getByRole("textbox", { name: "Argument 2" }).fill("5-6");
  await form.getByRole("button", { name: "Search by value" }).click();
  const range = await found(viewer, "info2 in 5..=6");
  expect(range.total).toBeGreaterThan(0);
  await expect(panel.getByRole("status")).toContainText(`${range.total} hit`);
});
