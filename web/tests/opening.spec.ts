/** Opening of large traces. */

import { ACTIVE, SYSTEM } from "./support/traces";
import { expect, test } from "./support/viewer";

test("the page shows progress while a trace opens, and queues keys", async ({ open }) => {
  const viewer = await open(ACTIVE);
  const { page } = viewer;
  await page.goto("about:blank");
  let go = () => {};
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  // The server's first answer takes a while during the analysis.
  await page.route("**/api/traces/*/query*", async (route) => {
    await held;
    await route.continue();
  });
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

test("a dropped file shows its upload progress", async ({ open }) => {
  const viewer = await open(ACTIVE);
  const { page } = viewer;
  let go = () => {};
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  await page.route("**/api/traces?name=*", async (route) => {
    await held;
    await route.continue();
  });
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
