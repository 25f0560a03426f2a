/**
 * Every key of the key help.
 *
 * TraceX: "Ctrl+O", "Left / Right", "PageUp / PageDown, Home / End", "Enter / Esc"; it has "no keys
 * for zoom, search, tabs".
 */

import type { Page } from "@playwright/test";
import { recording, SYSTEM } from "./support/traces";
import { expect, test } from "./support/viewer";

/** The effect of a key. */
type Change =
  | "selection"
  | "part"
  | "axis"
  | "dialog"
  | "panels"
  | "markers"
  | "cards"
  | "settings"
  | "focus"
  | "tab"
  | "printed";

/** Commands that need a selected range. */
const NEED_RANGE = new Set([
  "Keep the selected range with a note…",
  "Selected range",
  "Zoom to range",
]);

const CHANGES: Record<string, Change | "file" | "download"> = {
  "Previous event": "selection",
  "Next event": "selection",
  "Previous match of the step mode": "selection",
  "Next match of the step mode": "selection",
  "First event": "selection",
  "Last event": "selection",
  "Page left": "part",
  "Page right": "part",
  "Critical path of the selected event": "panels",
  "Go to an event or a time…": "dialog",
  "Zoom in": "part",
  "Zoom out": "part",
  "Pan left": "part",
  "Pan right": "part",
  "Zoom to whole trace (100 %)": "part",
  "Zoom to range": "part",
  "Switch between time view and sequential view": "axis",
  "Set marker A at the selected event": "markers",
  "Set marker B at the selected event": "markers",
  "Bookmark the selected event…": "dialog",
  "Add a note at the pointer, or in the middle…": "dialog",
  "Keep the selected range with a note…": "dialog",
  "Pin the details of the selected event": "cards",
  "Dismiss range, pinned details, selection or search": "selection",
  "Search…": "focus",
  "Event details": "panels",
  "Selected range": "panels",
  "Intervals between events": "panels",
  Reports: "panels",
  Objects: "panels",
  "Communication graph": "panels",
  Bookmarks: "panels",
  Legend: "panels",
  "Trace information": "panels",
  "Event table": "panels",
  "Graphs of load and levels": "panels",
  "SQL queries": "panels",
  "Find a command, thread, object or report…": "dialog",
  "Keyboard shortcuts": "dialog",
  "Theme: system, light, dark": "settings",
  "Status lines: ready only, all, off": "settings",
  "Set the clock frequency…": "dialog",
  "Show times instead of ticks": "settings",
  "Open a file…": "file",
  "Compare with…": "dialog",
  "Previous tab": "tab",
  "Next tab": "tab",
  "Save the view as PNG": "download",
  "Save the view as SVG": "download",
  "Print the view…": "printed",
};

/** Browser names of the keys in the key help. */
const KEYS: Record<string, string> = {
  "←": "ArrowLeft",
  "→": "ArrowRight",
  "Page Up": "PageUp",
  "Page Down": "PageDown",
  Esc: "Escape",
  Ctrl: "Control",
};

/** Page state that keys change. */
function state(page: Page): Promise<Record<Change, string>> {
  return page.evaluate(() => {
    const value = (label: string) =>
      document.querySelector<HTMLInputElement>(`input[aria-label="${label}"]`)?.value ?? "";
    const texts = (selector: string) =>
      [...document.querySelectorAll(selector)].map((element) => element.textContent).join("|");
    return {
      selection: value("Event number"),
      part:
        value("Zoom in percent") +
        document.querySelector("[role=scrollbar]")?.getAttribute("aria-valuetext"),
      axis: texts("fieldset[aria-label=View] [aria-pressed=true]"),
      dialog: texts("dialog[open] h2"),
      panels: texts(".panel-tabs [aria-selected=true]"),
      markers: texts("[aria-label^='Go to marker']"),
      cards: texts("article"),
      settings: JSON.stringify(Object.entries(localStorage).toSorted()),
      focus: document.activeElement?.getAttribute("aria-label") ?? "",
      tab: texts("nav [role=tab][aria-selected=true]"),
      printed: document.body.dataset.printed ?? "",
    };
  });
}

/** Presses a key where its command is enabled, and checks the effect. */
async function expectChange(page: Page, key: string, change: Change): Promise<void> {
  const before = await state(page);
  await page.keyboard.press(key);
  await expect
    .poll(async () => (await state(page))[change], {
      intervals: [20],
      message: `${key}: ${change}`,
    })
    .not.toBe(before[change]);
  if (change === "dialog") {
    await page.keyboard.press("Escape");
    await expect.poll(async () => (await state(page)).dialog, { intervals: [20] }).toBe("");
  }
}

for (const half of [0, 1]) {
  test(`every key of the key help works (${half + 1} of 2)`, async ({ open }) => {
    const viewer = await open([SYSTEM, recording("linux32_exact")]);
    const { page, timeline } = viewer;
    // The browser takes a while to hand over file choosers, so listen from the start.
    let happened = 0;
    page.on("filechooser", () => {
      happened += 1;
    });
    page.on("download", () => {
      happened += 1;
    });
    await page.evaluate(() => {
      window.print = () => {
        document.body.dataset.printed += ".";
      };
    });
    await viewer.press("?");
    const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    const listed = await help.locator("dl > div:has(kbd)").evaluateAll((rows) =>
      rows.map((row) => ({
        title: row.querySelector("dt")?.textContent ?? "",
        keys: [...row.querySelectorAll("dd > span")].map((span) =>
          [...span.querySelectorAll("kbd")].map((key) => key.textContent ?? ""),
        ),
      })),
    );
    await page.keyboard.press("Escape");
    await expect(help).toBeHidden();
    expect(listed.map(({ title }) => title).toSorted()).toEqual(Object.keys(CHANGES).toSorted());

    const spot = "trace=0&axis=time&side=details&bottom=events";
    let number = 0;
    for (const { title, keys } of listed.filter((_, at) => at % 2 === half)) {
      for (const parts of keys) {
        const key = parts.map((part) => KEYS[part] ?? part).join("+");
        const change = CHANGES[title];
        await test.step(`${title}: ${key}`, async () => {
          number += 1;
          // An event that no earlier step selected: once it is selected, the address has been
          // applied.
          const event = 1300 + 10 * number;
          await page.evaluate((hash) => {
            location.hash = hash;
            const { activeElement } = document;
            if (activeElement instanceof HTMLElement) activeElement.blur();
          }, `${spot}&event=${event}&from=3000000&to=5000000`);
          await expect(page.getByRole("textbox", { name: "Event number" })).toHaveValue(
            String(event),
          );
          await expect(timeline.overview).toHaveAttribute(
            "aria-valuetext",
            "from 32 to 53 percent",
          );
          const needsRange = NEED_RANGE.has(title);
          if (needsRange) await timeline.dragRange(0.3, 0.5);
          if (change === "file" || change === "download") {
            const before = happened;
            await page.keyboard.press(key);
            await expect.poll(() => happened, { intervals: [20], message: key }).toBe(before + 1);
          } else if (change !== undefined) {
            await expectChange(page, key, change);
          }
          if (needsRange) await page.keyboard.press("Escape");
        });
      }
    }
  });
}
