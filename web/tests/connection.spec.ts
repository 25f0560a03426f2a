/** The program exits while the page is open. */

import { copyFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { SMP, SYSTEM } from "./support/traces";
import { expect, test } from "./support/viewer";

const banner = (page: Page) => page.getByRole("alert", { name: "Connection" });
const opacity = (page: Page) =>
  page.locator("#workspace").evaluate((element) => Number(getComputedStyle(element).opacity));

test("a banner is shown while the server is unreachable, and the page then shows the current recording", async ({
  open,
}) => {
  const viewer = await open(SYSTEM);
  await test.step("a banner is shown while the server is unreachable, and the trace reloads by itself", async () => {
    const { page } = viewer;
    await page.evaluate(() => {
      document.body.dataset.loaded = "once";
    });
    await viewer.select(1357);
    await viewer.whileMoving(() => viewer.press("w", "w", "w"));
    await viewer.press("r");
    const part = await viewer.timeline.part();
    await viewer.end();
    // The page reports it without any action.
    await expect(banner(page)).toContainText("rtoscope has exited or is not responding");
    expect(await opacity(page)).toBeLessThan(1);
    // Missing data is not reported as a temporary notice.
    await viewer.press("0");
    await page
      .getByRole("combobox", { name: "Report", exact: true })
      .selectOption({ label: "Threads" });
    await expect(page.getByRole("tabpanel", { name: "Reports" })).toContainText(
      "Cannot connect to rtoscope",
    );
    await expect(page.locator(".notice")).toHaveCount(0);
    await expect(banner(page)).toBeVisible();

    await viewer.startAgain();
    await expect(banner(page)).toBeHidden();
    expect(await opacity(page)).toBe(1);
    await viewer.timeline.settled();
    expect((await viewer.timeline.picture()).colours).toBeGreaterThan(20);
    await expect(page.getByRole("table", { name: "Threads", exact: true })).toBeVisible();
    await viewer.expectSelected(1357);
    expect((await viewer.timeline.part()).length).toBeGreaterThan(part.length);
    await expect(page.locator("body")).toHaveAttribute("data-loaded", "once");
    await viewer.press("ArrowRight");
    await viewer.expectSelected(1358);
  });
  await test.step("a restarted command with a newer recording updates the page", async () => {
    const { page } = viewer;
    const status = page.getByRole("contentinfo", { name: "Status" });
    await expect(status).toContainText("3\u202f000 events");
    await viewer.end();
    await copyFile(SMP, viewer.file);
    await viewer.startAgain();
    await expect(banner(page)).toBeHidden();
    const { events } = await viewer.overview();
    expect(events).not.toBe(3000);
    await expect(status).toContainText(
      `${String(events).replace(/\B(?=(\d{3})+$)/g, "\u202f")} events`,
    );
    await viewer.timeline.settled();
    await expect(viewer.timeline.host).toBeVisible();
    // Event 1358 of the former recording is another one here.
    await expect(page.locator(".notice")).toContainText("the file has changed");
    await viewer.expectSelected(undefined);
  });
});
