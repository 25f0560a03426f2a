/** Two recordings one above the other: linked views, and the figures of `rtoscope compare`. */

import type { Page } from "@playwright/test";
import { Server } from "./support/server";
import { SHORT, SYSTEM } from "./support/traces";
import { expect, test } from "./support/viewer";

const CLOCK = ["--clock", "25MHz"];

const side = (page: Page, title: string) => page.getByRole("region", { name: new RegExp(title) });
const windowOf = (page: Page, title: string) =>
  side(page, title).getByRole("scrollbar", { name: "Overview of the whole trace" });

test("two recordings move together, and figures lead to their origin in both", async ({ open }) => {
  const viewer = await open([SYSTEM, SHORT], {
    options: CLOCK,
    at: "compare=0.1&side=comparison",
  });
  const { page } = viewer;
  await test.step("zooming one zooms the other, until the link is off", async () => {
    await expect(page.getByRole("application", { name: "Timeline lanes" })).toHaveCount(2);
    await expect(page.getByText("Linked in time: 0 ns beside 0 ns.")).toBeVisible();
    await viewer.whileMoving(() => viewer.press("w", "w", "w", "w"));
    const both = await Promise.all(
      ["Before: cm3_system", "After: cm3_short"].map((title) =>
        windowOf(page, title).getAttribute("aria-valuetext"),
      ),
    );
    // The same time is a larger part of the shorter recording.
    expect(both[0]).toMatch(/^from 40 to 60 percent$/);
    expect(both[1]).not.toBe("from 0 to 100 percent");
    await page.getByRole("checkbox", { name: "Linked" }).uncheck();
    await viewer.whileMoving(() => viewer.press("0"));
    await expect(windowOf(page, "After")).toHaveAttribute("aria-valuetext", both[1] ?? "");
    await page.getByRole("checkbox", { name: "Linked" }).check();
    await expect(windowOf(page, "After")).not.toHaveAttribute("aria-valuetext", both[1] ?? "");
  });
  await test.step("a figure leads to its events, which are aligned", async () => {
    const panel = page.getByRole("tabpanel", { name: "Comparison" });
    const table = panel.getByRole("table", { name: "Compared figures" });
    await panel.getByRole("searchbox", { name: "Filter figures" }).fill("ui jitter.max");
    await expect(table.locator("tbody tr")).toHaveText([
      "uijitter.max+982.1 %197.320 µs2.135 msundecidedlatency.threads",
    ]);
    await table.getByRole("button", { name: "ui", exact: true }).click();
    const histogram = panel.getByRole("img", {
      name: /^ui: jitter: 36 durations before and 11 after/,
    });
    await expect(histogram).toBeVisible();
    await viewer.expectSelected(1491);
    for (const title of ["Before", "After"])
      await expect(side(page, title).getByRole("treeitem", { name: /^ui/ })).toBeInViewport();
    await expect(page.getByText(/^Linked in time: 189\.\d+ ms beside 18\.\d+ ms\.$/)).toBeVisible();
    await side(page, "After").getByRole("application").focus();
    await viewer.expectSelected(159);
    // The panel is about both: its filter stays.
    await expect(table.locator("tbody tr")).toHaveCount(1);
  });
  await test.step("verdicts filter, and what is new or vanished has a list", async () => {
    const panel = page.getByRole("tabpanel", { name: "Comparison" });
    await panel.getByRole("combobox", { name: "Verdict" }).selectOption("changed");
    await expect(panel.getByText("No figure differs like that.")).toBeVisible();
    await panel.getByRole("button", { name: /^Vanished/ }).click();
    const vanished = panel.getByRole("table", { name: "Vanished" });
    await expect(vanished).toContainText("bounded-inversion");
    await expect(vanished).toContainText("communication.flows");
  });
  await test.step("the lane between them has both loads and the difference", async () => {
    const lane = page.getByRole("img", { name: /^Mean CPU load: before \d/ });
    await expect(lane).toHaveAttribute("aria-label", /difference [+-]\d+\.\d %$/);
  });
  await test.step("a reload restores the comparison, and it can be ended", async () => {
    await viewer.timeline.rested();
    await page.reload();
    await expect(page.getByText(/^Linked in time: 189\./)).toBeVisible();
    await page.getByRole("button", { name: "End the comparison" }).click();
    await expect(page.getByRole("application", { name: "Timeline lanes" })).toHaveCount(1);
    await viewer.timeline.rested();
    expect(page.url()).not.toContain("compare=");
  });
});

test("a comparison starts from the page and from the command", async ({ open, page }, info) => {
  const viewer = await open([SYSTEM, SHORT], { options: CLOCK });
  await viewer.press("Shift+x");
  const dialog = page.getByRole("dialog", { name: "Compare cm3_system.trx with…" });
  await dialog.getByRole("button", { name: "Compare" }).click();
  await expect(side(page, "Before: cm3_short")).toBeVisible();
  await expect(side(page, "After: cm3_system")).toBeVisible();
  await expect(page.getByRole("table", { name: "Compared figures" })).toBeVisible();
  const server = await Server.start([SYSTEM, SHORT], ["--compare"], info.outputPath());
  try {
    expect(server.url).toContain("#compare=0.1");
    await page.goto(server.url);
    // Without a clock.
    await expect(page.getByText("Both clocks are unknown: linked tick by tick.")).toBeVisible();
    await page.goto("about:blank");
  } finally {
    await server.stop();
  }
});
