/** Context menus of events, in the timeline and in tables. */

import { SYSTEM } from "./support/traces";
import { expect, test } from "./support/viewer";

test("events and lanes have menus, by pointer and by key", async ({ open }) => {
  const viewer = await open(SYSTEM, { at: "trace=0&axis=index&from=1350&to=1370" });
  await test.step("a right click on an event opens its menu", async () => {
    const { page, timeline } = viewer;
    const box = await timeline.box();
    const row = await timeline.row("Summary").boundingBox();
    const y = (row?.y ?? 0) + (row?.height ?? 0) - 16;
    // The middle of event 1357.
    await page.mouse.click(box.x + (7.5 / 20) * box.width, y, { button: "right" });
    const menu = page.getByRole("menu", { name: "Event 1357" });
    await expect(menu).toBeVisible();
    await expect(menu).toContainText("thread suspend");
    await viewer.expectSelected(1357);
    await menu.getByRole("menuitem", { name: "Events of this kind" }).click();
    await expect(menu).toBeHidden();
    const { total } = await viewer.query({
      query: "search",
      search: { filter: 'kind == "thread suspend"' },
      window: { axis: "index", start: 0, end: 3000 },
      width: 1,
    });
    await expect(page.getByRole("tabpanel", { name: "Search" }).getByRole("status")).toContainText(
      `${total} hits`,
    );
  });
  await test.step("rows of the event table have the menu, by pointer and by key", async () => {
    await viewer.reset("trace=0&axis=time&event=1357&bottom=events");
    const { page } = viewer;
    const grid = page.getByRole("grid", { name: "Events" });
    await grid.getByRole("row", { name: /^1.358 / }).click({ button: "right" });
    const menu = page.getByRole("menu", { name: "Event 1358" });
    await menu.getByRole("menuitem", { name: "Pin the details of the selected event" }).click();
    await expect(page.getByRole("article", { name: "Details of event 1358" })).toBeVisible();
    await grid.press("ArrowDown");
    await viewer.expectSelected(1359);
    await grid.press("Shift+F10");
    const next = page.getByRole("menu", { name: "Event 1359" });
    await expect(next.getByRole("menuitem", { name: "Show details" })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(next).toBeHidden();
    await expect(grid).toBeFocused();
  });
  await test.step("a right click beside events opens the menu of the lane", async () => {
    await viewer.reset();
    const { page, timeline } = viewer;
    const box = await timeline.box();
    const row = await timeline.row("monitor").boundingBox();
    await page.mouse.click(box.x + box.width / 2, (row?.y ?? 0) + 12, { button: "right" });
    const menu = page.getByRole("menu", { name: "Lane monitor" });
    await menu.getByRole("menuitem", { name: "Hide", exact: true }).click();
    await expect(timeline.row("monitor")).toHaveCount(0);
  });
});
