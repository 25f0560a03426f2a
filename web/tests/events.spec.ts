/**
 * The event table.
 *
 * TraceX: "Raw Trace Dump", its only list of events, is a text file that is opened elsewhere.
 */

import { SMP, SYSTEM } from "./support/traces";
import { expect, test } from "./support/viewer";

test("the table is in sync with the selection and the visible part", async ({ open }) => {
  const viewer = await open(SYSTEM);
  await test.step("the table scrolls to its end and renders only visible rows", async () => {
    const grid = viewer.page.getByRole("grid", { name: "Events" });
    await expect(grid).toHaveAttribute("aria-rowcount", "3001");
    await expect(grid.getByRole("row")).not.toHaveCount(0);
    expect(await grid.getByRole("row").count()).toBeLessThan(60);
    await grid.evaluate((scroller) => {
      scroller.scrollTop = scroller.scrollHeight;
    });
    const last = grid.locator('[aria-rowindex="3001"]');
    await expect(last).toBeInViewport();
    await expect(last.getByRole("gridcell").first()).toHaveText("2\u202f999");
    expect(await grid.getByRole("row").count()).toBeLessThan(60);
  });
  await test.step("the table and the selection are in sync", async () => {
    const { page } = viewer;
    const grid = page.getByRole("grid", { name: "Events" });
    await viewer.select(1500);
    await expect(grid.getByRole("row", { selected: true })).toHaveAttribute(
      "aria-rowindex",
      "1502",
    );
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
  await test.step("the table can be limited to the visible part", async () => {
    await viewer.reset();
    const { page } = viewer;
    const grid = page.getByRole("grid", { name: "Events" });
    await viewer.select(1500);
    await page.getByRole("checkbox", { name: "Visible part only" }).check();
    await expect(grid).toHaveAttribute("aria-rowcount", "3001");
    const { span } = await viewer.overview();
    const [start, end] = [Math.round(span / 4), Math.round(span / 2)];
    await viewer.load(`from=${start}&to=${end}`);
    const { counts } = await viewer.query({
      query: "search",
      search: { filter: "core >= 0" },
      window: { axis: "time", start, end: end + 1 },
      width: 1,
    });
    await expect(grid).toHaveAttribute("aria-rowcount", String((counts[0] ?? 0) + 1));
  });
});

test("rows show properties, in columns as wide as the user chooses", async ({ open }) => {
  const viewer = await open(SYSTEM);
  await test.step("columns have the width that the user chooses, also after a reload", async () => {
    const { page } = viewer;
    const grid = page.getByRole("grid", { name: "Events" });
    const kind = grid.getByRole("columnheader", { name: "Kind" });
    const grip = grid.getByRole("separator", { name: "Width of Kind" });
    const width = async () => (await kind.boundingBox())?.width ?? 0;
    const before = await width();
    const edge = await grip.boundingBox();
    if (edge === null) throw new Error("the grip is not shown");
    await page.mouse.move(edge.x + edge.width / 2, edge.y + edge.height / 2);
    await page.mouse.down();
    await page.mouse.move(edge.x + edge.width / 2 + 60, edge.y + 4);
    await page.mouse.up();
    expect(await width()).toBeCloseTo(before + 60, -1);
    const wide = await width();
    await grip.press("ArrowLeft");
    await expect.poll(width).toBeCloseTo(wide - 16, 0);
    await viewer.reload();
    await expect.poll(width).toBeCloseTo(wide - 16, 0);
    await grip.press("Delete");
    await expect.poll(width).toBeCloseTo(before, 0);
    // Double-clicking fits the column to its text.
    await grip.dblclick();
    const isCut = () =>
      grid
        .locator(".events-row > :nth-child(5) > .cell-text")
        .evaluateAll((cells) => cells.some((cell) => cell.scrollWidth > cell.clientWidth));
    await expect.poll(isCut).toBe(false);
  });
  await test.step("rows show the properties of events", async () => {
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
});
