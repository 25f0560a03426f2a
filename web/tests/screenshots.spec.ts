/**
 * Reference screenshots of the main views, in `screenshots`. `npm run e2e -- --update-snapshots` or
 * RTOSCOPE_BLESS=1 accepts the current ones; review the changes before.
 */

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { generator } from "./support/server";
import { ACTIVE, SMP, SYSTEM } from "./support/traces";
import { expect, test, type Viewer } from "./support/viewer";

const run = promisify(execFile);

/** Waits until nothing blinks, follows the pointer or moves. */
async function quiet(viewer: Viewer): Promise<void> {
  const { page, timeline } = viewer;
  await page.mouse.move(2, 2);
  await viewer.blur();
  await page.evaluate(() => document.fonts.ready);
  await timeline.settled();
}

async function expectPicture(page: Page, name: string): Promise<void> {
  await expect.soft(page).toHaveScreenshot(`${name}.png`);
}

const CLOCK = { options: ["--clock", "25MHz"] };

test("the whole trace, in a small window, and with reports and a search", async ({ open }) => {
  const viewer = await open(SYSTEM, CLOCK);
  await test.step("time view", async () => {
    await quiet(viewer);
    await expectPicture(viewer.page, "time");
  });
  await test.step("a small window", async () => {
    await viewer.reset();
    await viewer.resize(400, 800);
    await quiet(viewer);
    await expectPicture(viewer.page, "small");
  });
  await test.step("reports", async () => {
    await viewer.reset();
    const panel = await viewer.panel("Reports");
    await panel.getByRole("combobox", { name: "Report" }).selectOption("CPU time");
    await expect(panel.getByRole("table").first()).toBeVisible();
    await quiet(viewer);
    await expectPicture(viewer.page, "reports");
  });
  await test.step("search", async () => {
    const viewer = await open(SYSTEM, {
      ...CLOCK,
      at: `trace=0&axis=time&side=search&search=${encodeURIComponent('object == "spi (plain)"')}`,
    });
    await expect(
      viewer.page.getByRole("grid", { name: "Search hits" }).getByRole("row").nth(5),
    ).toContainText("mutex");
    await viewer.timeline.rested();
    await quiet(viewer);
    await expectPicture(viewer.page, "search");
  });
});

test("a dense trace", async ({ open }, info) => {
  const file = info.outputPath("dense.trx");
  await run(generator(), ["threadx", "--events", "1000000", "--threads", "20", "-o", file]);
  const viewer = await open({ name: "dense.trx", bytes: await readFile(file) });
  await quiet(viewer);
  await expectPicture(viewer.page, "dense");
});

test("events and a priority inversion close up, in the dark theme too", async ({ open }) => {
  const viewer = await open(SYSTEM, {
    ...CLOCK,
    at: "trace=0&axis=index&from=1340&to=1390&event=1357",
  });
  await test.step("sequential view", async () => {
    await viewer.expectSelected(1357);
    await expect(viewer.page.getByRole("heading", { name: "thread suspend" })).toBeVisible();
    await quiet(viewer);
    await expectPicture(viewer.page, "sequential");
  });
  await test.step("a priority inversion", async () => {
    await viewer.reset(
      "trace=0&axis=time&from=4290000&to=4410000&event=1357&side=details&bottom=graphs",
    );
    await expect(viewer.page.getByRole("heading", { name: "thread suspend" })).toBeVisible();
    await viewer.timeline.rested();
    await quiet(viewer);
    await expectPicture(viewer.page, "inversion");
  });
  await test.step("dark theme", async () => {
    await viewer.reset("trace=0&axis=time&from=4290000&to=4410000&event=1357");
    await viewer.page.emulateMedia({ colorScheme: "dark" });
    await expect(viewer.page.locator("html")).toHaveAttribute("data-theme", "dark");
    await expect(viewer.page.getByRole("heading", { name: "thread suspend" })).toBeVisible();
    await viewer.timeline.rested();
    await quiet(viewer);
    await expectPicture(viewer.page, "dark");
  });
});

test("several cores, and active objects", async ({ open }) => {
  await test.step("several cores", async () => {
    const viewer = await open(SMP);
    await quiet(viewer);
    await expectPicture(viewer.page, "cores");
  });
  await test.step("active objects", async () => {
    const viewer = await open(ACTIVE, {
      at: "trace=0&axis=time&from=4900&to=6300&event=230&side=sequence&bottom=events",
    });
    await viewer.expectSelected(230);
    const diagram = viewer.page.getByRole("group", { name: "Sequence diagram" });
    await expect(diagram.locator("[data-picked]").first()).toBeVisible();
    await viewer.timeline.rested();
    await quiet(viewer);
    await expectPicture(viewer.page, "active");
  });
});
