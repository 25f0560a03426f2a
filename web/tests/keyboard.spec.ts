/** Use without a pointing device and with a screen reader. */

import type { Page } from "@playwright/test";
import { SYSTEM } from "./support/traces";
import { expect, test } from "./support/viewer";

/** The focused element: its role or tag, its name, and whether the focus is visible. */
function focused(page: Page) {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return null;
    const style = getComputedStyle(element);
    const label =
      element.getAttribute("aria-label") ??
      element.getAttribute("title") ??
      (element.textContent ?? "").trim();
    const outlined = style.outlineStyle !== "none" && Number.parseFloat(style.outlineWidth) > 0;
    return {
      what: element.getAttribute("role") ?? element.localName,
      label,
      visible:
        outlined ||
        style.boxShadow !== "none" ||
        (Number(style.opacity) < 1 && element.localName === "div"),
    };
  });
}

test("Tab reaches every part, and the focus is always visible", async ({ open }) => {
  const viewer = await open(SYSTEM, { at: "trace=0&event=1357" });
  const { page } = viewer;
  await viewer.expectSelected(1357);
  const reached: string[] = [];
  for (let time = 0; time < 90; time += 1) {
    await page.keyboard.press("Tab");
    const now = await focused(page);
    if (now === null) break;
    expect(now.what, `${now.label.slice(0, 40)} is interactive`).not.toBe("presentation");
    expect(now.label, `${now.what} has a name`).not.toBe("");
    expect(now.visible, `${now.what} ${now.label}: focus is visible`).toBe(true);
    reached.push(`${now.what} ${now.label}`);
  }
  const all = reached.join("\n");
  for (const part of [
    "button Open a file…",
    "select Step by",
    "input Event number",
    "input Zoom in percent",
    "tab cm3_system.trx",
    "input Filter lanes by name",
    "scrollbar Overview of the whole trace",
    "treeitem Summary",
    "application Timeline lanes",
    "separator Width of the side panel",
    "tab Details",
    "grid Events",
    "separator Height of the lower panel",
  ])
    expect(all).toContain(part);
});

test("a session without a mouse", async ({ open }) => {
  const viewer = await open(SYSTEM);
  const { page } = viewer;
  // Search, go to a hit, mark, bookmark and pin it, open a report, and zoom out.
  await viewer.press("/");
  await expect(page.getByRole("combobox", { name: "Filter" })).toBeFocused();
  await page.keyboard.type('object == "spi (plain)" and context == alarm');
  await viewer.press("Enter");
  await expect(page.getByText(/^\d+ hits$/).first()).toBeVisible();
  await page.getByRole("combobox", { name: "Filter" }).blur();
  await viewer.press("n");
  await expect(page.getByRole("textbox", { name: "Event number" })).not.toHaveValue("");
  await viewer.press("m", "b");
  await expect(page.getByRole("dialog", { name: /bookmark/ }).getByRole("textbox")).toBeFocused();
  await page.keyboard.type("look here");
  await viewer.press("Enter");
  await expect(page.getByRole("dialog")).toBeHidden();
  await viewer.press("Enter");
  await expect(page.getByRole("article")).toBeVisible();
  await viewer.press("Shift+b");
  await expect(page.getByRole("listitem").getByText("look here")).toBeVisible();
  await viewer.press("r");
  const report = page.getByRole("combobox", { name: "Report" });
  await report.focus();
  await page.keyboard.type("Stack");
  await expect(page.getByRole("table", { name: "Stack usage" })).toBeVisible();
  await report.blur();
  await viewer.press("w", "w", "0");
  await expect(page.getByRole("textbox", { name: "Zoom in percent" })).toHaveValue("100 %");
  // Lanes by keys: focus the tree, move down, open the menu, sort.
  await viewer.timeline.row("Summary").focus();
  for (const name of ["Interrupts", "Initialisation / idle", "System Timer Thread"]) {
    await viewer.press("ArrowDown");
    await expect(viewer.timeline.row(name)).toBeFocused();
  }
  await viewer.press("Enter", "End");
  await expect(page.getByRole("menuitemradio", { name: "Name prefix" })).toBeFocused();
  await viewer.press("Escape");
  await expect(viewer.timeline.row("System Timer Thread")).toBeFocused();
});

test("steps are announced, the first Tab goes to the timeline, and keys move it", async ({
  open,
}) => {
  const viewer = await open(SYSTEM);
  await test.step("a step is announced, and the first tab stop skips to the timeline", async () => {
    const { page } = viewer;
    await viewer.press("Tab", "Enter");
    await expect(viewer.timeline.host).toBeFocused();
    await viewer.select(1357);
    const announced = page.getByRole("status", { name: "Selected event" });
    await expect(announced).toHaveText(/^Event 1\u202f357: thread suspend, .+, at /);
    await viewer.press("ArrowRight");
    await expect(announced).toHaveText(/^Event 1\u202f358: /);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("cm3_system.trx");
  });
  await test.step("keys move the overview", async () => {
    const { page, timeline } = viewer;
    await viewer.press("w", "w", "w");
    await timeline.overview.focus();
    const before = await timeline.overview.getAttribute("aria-valuetext");
    await page.keyboard.press("PageDown");
    await expect(timeline.overview).not.toHaveAttribute("aria-valuetext", before ?? "");
  });
  await test.step("Up and Down scroll the lanes", async () => {
    const { page, timeline } = viewer;
    await viewer.resize(1400, 620);
    await timeline.host.focus();
    const y = async () => (await timeline.row("sensor").boundingBox())?.y ?? Number.NaN;
    const before = await y();
    await page.keyboard.press("ArrowDown");
    await expect.poll(y).toBeLessThan(before);
    await page.keyboard.press("ArrowUp");
    await expect.poll(y).toBe(before);
  });
});
