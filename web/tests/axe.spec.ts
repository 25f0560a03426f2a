/** Rules of axe-core on every panel and dialog, in both themes. */

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import type { AxeResults } from "axe-core";
import { ACTIVE, SYSTEM } from "./support/traces";
import { expect, test } from "./support/viewer";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.js");

/** Rules that the page breaks, with the elements that break them. */
async function violations(page: Page) {
  // A script element would break the content security policy of the page.
  await page.evaluate(await readFile(AXE, "utf8"));
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run: () => Promise<AxeResults> } };
    const { violations } = await axe.run();
    return violations.map(({ id, nodes }) => ({
      id,
      nodes: nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)),
    }));
  });
}

/** Keys that open one view after the other. */
const VIEWS: Record<string, string> = {
  "details and events": "i",
  "critical path": "x",
  search: "f",
  intervals: "Shift+d",
  reports: "r",
  objects: "Shift+o",
  communication: "u",
  bookmarks: "Shift+b",
  legend: "l",
  graphs: "v",
  sql: "y",
  trace: "Shift+i",
  "keys dialog": "?",
  palette: "Control+k",
  "clock dialog": "c",
  "go-to dialog": "g",
  "bookmark dialog": "b",
};

for (const theme of ["light", "dark"] as const) {
  test(`axe-core finds nothing in the ${theme} theme`, async ({ page, open }) => {
    test.slow();
    await page.emulateMedia({ colorScheme: theme });
    const viewer = await open(SYSTEM, { at: "side=trace&bottom=events" });
    await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
    await viewer.select(1357);
    await viewer.press("Enter");
    await viewer.press("j");
    const dialog = page.getByRole("dialog", { name: /^New bookmark/ });
    await dialog.getByRole("textbox", { name: "Note" }).fill("a note");
    await page.keyboard.press("Enter");
    await expect(dialog).toBeHidden();
    for (const [view, key] of Object.entries(VIEWS)) {
      await viewer.press(key);
      await viewer.timeline.idle();
      expect.soft(await violations(page), view).toEqual([]);
      await page.evaluate(() => {
        const { activeElement } = document;
        if (activeElement instanceof HTMLElement) activeElement.blur();
      });
      if ((await page.getByRole("dialog").count()) > 0) await page.keyboard.press("Escape");
    }
    await page.getByRole("button", { name: "Menu", exact: true }).click();
    expect.soft(await violations(page), "menu").toEqual([]);
    await page.keyboard.press("Escape");
    await viewer.timeline.row("alarm").click({ button: "right" });
    expect.soft(await violations(page), "context menu").toEqual([]);
  });

  test(`axe-core finds nothing in the answers of the ${theme} theme`, async ({ page, open }) => {
    test.slow();
    await page.emulateMedia({ colorScheme: theme });
    const sql = encodeURIComponent("SELECT event, time, kind FROM events LIMIT 20");
    const viewer = await open(SYSTEM, { at: `side=intervals&bottom=sql&event=1384&sql=${sql}` });
    await expect(page.getByRole("tabpanel", { name: "SQL" }).getByRole("status")).toContainText(
      "20 rows",
      { timeout: 20_000 },
    );
    const intervals = page.getByRole("tabpanel", { name: "Intervals" });
    await intervals.getByRole("combobox", { name: "From" }).fill("tx_mutex_get");
    await intervals.getByRole("combobox", { name: "To the next" }).fill("tx_mutex_put");
    await intervals.getByRole("button", { name: "Measure" }).click();
    await expect(intervals.getByRole("table").first()).toBeVisible();
    expect.soft(await violations(page), "intervals and SQL").toEqual([]);
    const graphs = await viewer.panel("Graphs");
    await graphs.getByRole("combobox", { name: "Add a graph" }).selectOption("ui: response time");
    await expect(graphs.locator(".graph-class .link")).toBeVisible();
    await viewer.panel("Critical path");
    expect.soft(await violations(page), "plot and critical path").toEqual([]);
  });

  test(`axe-core finds nothing in the diagrams of the ${theme} theme`, async ({ page, open }) => {
    test.slow();
    await page.emulateMedia({ colorScheme: theme });
    const viewer = await open(ACTIVE);
    for (const key of ["q", "h"]) {
      await viewer.press(key);
      await viewer.timeline.settled();
      expect.soft(await violations(page), key).toEqual([]);
    }
  });
}
