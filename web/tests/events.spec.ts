/**
 * The event table.
 *
 * TraceX: "Raw Trace Dump", its only list of events, is a text file that is opened elsewhere.
 */

import { SMP, SYSTEM } from "./support/traces";
import { expect, test } from "./support/viewer";

test("the table scrolls to its end and renders only visible rows", async ({ open }) => {
  const viewer = await open(SYSTEM);
  const grid = viewer.page.getByRole("grid", { name: "Events" });
  await expect(grid).toHaveAttribute("aria-rowcount", "3001");
  await expect(grid.getByRole("row")).not.toHaveCount(0);
  expect(await grid.getByRole("row").count()).toBeLessThan(60);
  await grid.locator(".events-scroller").evaluate((scroller) => {
    scroller.scrollTop = scroller.scrollHeight;
  });
  const last = grid.locator('[aria-rowindex="3001"]');
  await expect(last).toBeInViewport();
  await expect(last.getByRole("gridcell").first()).toHaveText("2\u202f999");
  expect(await grid.getByRole("row").count()).toBeLessThan(60);
});

test("the table and the selection are in sync", async ({ open }) => {
  const viewer = await open(SYSTEM);
  const { page } = viewer;
  const grid = page.getByRole("grid", { name: "Events" });
  await viewer.select(1500);
  await expect(grid.getByRole("row", { selected: true })).toHaveAttribute("aria-rowindex", "1502");
  await expect(grid.getByRole("row", { selected: true })).toBeInViewport();
  await grid.locator('[aria-rowindex="1504"]').click();
  await viewer.expectSelected(1502);
  await page.keyboard.press("ArrowDown");
  await viewer.expectSelected(1503);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await viewer.expectSelected(1501);
  await page.keyboard.press("End");
  await viewer.expectSelected(2999);
  await expect(grid.locator('[aria-rowindex="3001"]')).toBeInViewport();
  await page.keyboard.press("Home");
  await viewer.expectSelected(0);
});

test("rows show the properties of events", async ({ open }) => {
  const viewer = await open(SMP);
  const grid = viewer.page.getByRole("grid", { name: "Events" });
  await viewer.select(300);
  const row = grid.getByRole("row", { selected: true });
  const [
    {
      rows: [known],
    },
    { contexts },
  ] = await Promise.all([
    viewer.query({ query: "events", offset: 300, limit: 1, search: null }),
    viewer.overview(),
  ]);
  await expect(grid.getByRole("columnheader")).toContainText([
    "Event",
    "Time",
    "Core",
    "Context",
    "Kind",
  ]);
  const cells = row.getByRole("gridcell");
  await expect(cells.nth(0)).toHaveText("300");
  await expect(cells.nth(3)).toHaveText(String(known?.core));
  await expect(cells.nth(4)).toHaveText(contexts[known?.context ?? 0]?.name ?? "");
  await expect(cells.nth(5)).toContainText(known?.name ?? "");
  await expect(cells.nth(6)).toHaveText(known?.arguments ?? "");
});
