/** Opening of large traces. */

import type { Page } from "@playwright/test";
import { ACTIVE, SYSTEM } from "./support/traces";
import { expect, test } from "./support/viewer";

/** Holds requests, as a slow server does, until the result is called. */
async function hold(page: Page, url: string): Promise<() => void> {
  let go = () => {};
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  await page.route(url, async (route) => {
    await held;
    await route.continue();
  });
  return go;
}

test("the page shows progress while a trace opens, and queues keys", async ({ open }) => {
  const viewer = await open(ACTIVE);
  await test.step("the page shows progress while a trace opens, and queues keys", async () => {
    const { page } = viewer;
    await page.goto("about:blank");
    const go = await hold(page, "**/api/traces/*/query*");
    await page.goto(`${viewer.url}#side=details&bottom=events`);
    const opening = page.getByRole("list", { name: "Opening" });
    await expect(opening).toContainText("Analysing nat_short.bin");
    await expect(opening.getByRole("progressbar")).toBeVisible();
    await expect(page.getByText("Drop a trace here")).toHaveCount(0);
    await expect(page).toHaveTitle(/nat_short/);
    await viewer.press("q", "v");
    go();
    await viewer.timeline.settled();
    await expect(opening).toHaveCount(0);
    await expect(page.getByRole("tabpanel", { name: "Sequence" })).toBeVisible();
    await expect(page.getByRole("tabpanel", { name: "Graphs" })).toBeVisible();
  });
  await test.step("the page shows how far the opening is, and the events so far", async () => {
    await viewer.reset();
    const { page } = viewer;
    const { events, span } = await viewer.overview();
    await page.goto("about:blank");
    const go = await hold(page, "**/api/traces/*/query*");
    // The phases of a slow server.
    const counts = Array.from({ length: 512 }, (_, at) => (at === 511 ? events : 0));
    const density = { span, counts };
    let progress: object = { phase: "reading", done: 0, total: null, events: null, density: null };
    await page.route("**/api/traces/*/progress", (route) => route.fulfill({ json: progress }));
    await page.goto(viewer.url);
    const opening = page.getByRole("list", { name: "Opening" });
    const bar = opening.getByRole("progressbar");
    await expect(opening).toContainText("Reading nat_short.bin…");
    await expect(bar).not.toHaveAttribute("value");
    progress = { phase: "decoding", done: 5e6, total: 2e7, events: null, density: null };
    await expect(opening).toContainText("Decoding nat_short.bin: 25 %");
    await expect(opening).toContainText("5.0 of 20.0 MB");
    await expect(bar).toHaveAttribute("value", "0.25");
    const strip = opening.getByRole("img", { name: /events? over/ });
    await expect(strip).toHaveCount(0);
    progress = { phase: "analysis", done: events / 2, total: events, events, density };
    await expect(opening).toContainText("Analysing nat_short.bin: 50 %");
    await expect(strip).toBeVisible();
    await expect(opening).toContainText("Preliminary");
    const analysed = strip.locator("clipPath rect");
    await expect(analysed).toHaveAttribute("width", "511.5");
    progress = { phase: "indexing", done: 0, total: null, events, density };
    await expect(opening).toContainText("Indexing nat_short.bin…");
    await expect(analysed).toHaveAttribute("width", "512");
    go();
    await viewer.timeline.settled();
    await expect(opening).toHaveCount(0);
  });
});

test("a dropped file shows its upload progress", async ({ open }) => {
  const viewer = await open(ACTIVE);
  const { page } = viewer;
  const go = await hold(page, "**/api/traces?name=*");
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: /^Open/ }).click();
  await (await chooser).setFiles(SYSTEM);
  const opening = page.getByRole("list", { name: "Opening" });
  await expect(opening).toContainText(/Uploading cm3_system.trx: \d+ %|Analysing cm3_system.trx/);
  // The open trace can be used meanwhile.
  await viewer.select(10);
  go();
  await expect(page.getByRole("tab", { name: "cm3_system.trx" })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await expect(opening).toHaveCount(0);
});
