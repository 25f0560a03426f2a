/** The command palette. */

import { SYSTEM } from "./support/traces";
import { expect, test } from "./support/viewer";

test("the palette finds and runs commands, by name and by arrow keys", async ({ open }) => {
  const viewer = await open(SYSTEM);
  await test.step("the palette runs commands and finds threads, objects and reports", async () => {
    const { page } = viewer;
    const box = page.getByRole("combobox", { name: "Find a command" });
    const found = page.getByRole("listbox", { name: "Matches" }).getByRole("option");
    await viewer.press("Control+k");
    await expect(box).toBeFocused();
    await page.keyboard.type("last ev");
    await expect(found.first()).toContainText("Last event");
    await page.keyboard.press("Enter");
    await expect(box).toBeHidden();
    await viewer.expectSelected(2999);

    await viewer.press("F1");
    await page.keyboard.type("Stack usage");
    await page.keyboard.press("Enter");
    await expect(
      page.getByRole("tabpanel", { name: "Reports" }).getByRole("table", { name: "Stack usage" }),
    ).toBeVisible();

    await viewer.press("Control+k");
    await page.keyboard.type("log queue");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "log queue" })).toBeVisible();

    await viewer.press("Home", "Control+k");
    await page.keyboard.type("alarm");
    await found.filter({ hasText: /^alarmThread/ }).click();
    const { contexts } = await viewer.overview();
    const context = contexts.findIndex(({ name }) => name === "alarm");
    const place = await viewer.query({
      query: "step",
      from: 0,
      direction: "next",
      by: { mode: "context", context },
    });
    await viewer.expectSelected(place?.event);

    await viewer.press("Control+k");
    await page.keyboard.type("zzzzqqq");
    await expect(page.getByText("No matches.")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(box).toBeHidden();
  });
  await test.step("the palette is navigated by arrow keys", async () => {
    await viewer.reset();
    const { page } = viewer;
    await viewer.press("Control+k", "ArrowDown", "ArrowDown", "ArrowUp");
    await expect(
      page.getByRole("listbox", { name: "Matches" }).getByRole("option", { selected: true }),
    ).toContainText("Next event");
    const active = await page
      .getByRole("combobox", { name: "Find a command" })
      .getAttribute("aria-activedescendant");
    await expect(page.locator(`#${active}`)).toHaveAttribute("aria-selected", "true");
  });
});
