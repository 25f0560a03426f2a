/** Names, roles and contrast. */

import type { Page } from "@playwright/test";
import { SYSTEM } from "./support/traces";
import { expect, test } from "./support/viewer";

interface Node {
  role: string;
  name: string;
}

const NAMED = new Set([
  "button",
  "link",
  "textbox",
  "searchbox",
  "combobox",
  "checkbox",
  "radio",
  "tab",
  "tabpanel",
  "dialog",
  "grid",
  "table",
  "tree",
  "treeitem",
  "menu",
  "menuitem",
  "menuitemradio",
  "option",
  "slider",
  "scrollbar",
  "separator",
  "image",
  "application",
  "listbox",
  "spinbutton",
  "switch",
]);

/** The accessibility tree. */
async function nodes(page: Page): Promise<Node[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  await session.detach();
  return nodes
    .filter(({ ignored }) => !ignored)
    .map(({ role, name }) => ({
      role: String(role?.value ?? ""),
      name: String(name?.value ?? "").trim(),
    }));
}

/** Key presses that open one view after the other. */
const PLACES: readonly [string, string[]][] = [
  ["details and events", []],
  ["search", ["f"]],
  ["intervals", ["Shift+d"]],
  ["reports", ["r"]],
  ["objects", ["Shift+o"]],
  ["bookmarks", ["Shift+b"]],
  ["legend", ["l"]],
  ["trace", ["Shift+i"]],
  ["graphs", ["v"]],
  ["sql", ["y"]],
  ["keys", ["?"]],
  ["palette", ["Control+k"]],
  ["clock", ["c"]],
  ["go to", ["g"]],
  ["bookmark", ["b"]],
];

test("every control has a name in every view", async ({ open }) => {
  const viewer = await open(SYSTEM);
  const { page } = viewer;
  await viewer.select(1357);
  await viewer.press("Enter");
  for (const [place, keys] of PLACES) {
    await viewer.press(...keys);
    await viewer.timeline.idle();
    const nameless = (await nodes(page)).filter(({ role, name }) => NAMED.has(role) && name === "");
    expect(nameless, place).toEqual([]);
    const faults = await page.evaluate(() => ({
      order: [...document.querySelectorAll("[tabindex]")].filter(
        (element) => Number(element.getAttribute("tabindex")) > 0,
      ).length,
      ids: [...document.querySelectorAll("[id]")]
        .map(({ id }) => id)
        .filter((id, at, all) => all.indexOf(id) !== at),
      references: [
        ...document.querySelectorAll("[aria-labelledby], [aria-describedby], [aria-controls]"),
      ]
        .flatMap((element) =>
          ["aria-labelledby", "aria-describedby", "aria-controls"].flatMap((name) =>
            (element.getAttribute(name) ?? "").split(" "),
          ),
        )
        .filter(
          (id) => id !== "" && document.getElementById(id) === null && !id.startsWith("panel-"),
        ),
    }));
    expect(faults, place).toEqual({ order: 0, ids: [], references: [] });
    await page.evaluate(() => {
      const { activeElement } = document;
      if (activeElement instanceof HTMLElement) activeElement.blur();
    });
    if ((await page.getByRole("dialog").count()) > 0) await page.keyboard.press("Escape");
  }
});

test("a step is announced, and the first tab stop skips to the timeline", async ({ open }) => {
  const viewer = await open(SYSTEM);
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

/** Contrast of each visible text with its background, by the formula of WCAG 2.2. */
function contrasts(page: Page) {
  return page.evaluate(() => {
    type Rgba = [number, number, number, number];
    const probe = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    const parse = (colour: string): Rgba => {
      if (!probe) return [0, 0, 0, 1];
      probe.clearRect(0, 0, 1, 1);
      probe.fillStyle = colour;
      probe.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0, alpha = 0] = probe.getImageData(0, 0, 1, 1).data;
      return [red, green, blue, alpha / 255];
    };
    const luminance = (colour: Rgba) => {
      const [red = 0, green = 0, blue = 0] = colour.slice(0, 3).map((channel) => {
        const part = channel / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const backgroundOf = (element: Element | null): Rgba | null => {
      for (let at = element; at; at = at.parentElement) {
        const { backgroundColor, backgroundImage } = getComputedStyle(at);
        // Text on multi-coloured backgrounds is tested elsewhere.
        if (backgroundImage !== "none") return null;
        const colour = parse(backgroundColor);
        if (colour[3] > 0.98) return colour;
      }
      return [255, 255, 255, 1];
    };
    const found: { text: string; contrast: number }[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      const text = (node.textContent ?? "").trim();
      if (!element || text === "" || !element.checkVisibility()) continue;
      if (element.closest(":disabled, [aria-disabled=true], [aria-hidden=true], option, canvas"))
        continue;
      const background = backgroundOf(element);
      if (background === null) continue;
      const style = getComputedStyle(element);
      const [one, other] = [luminance(parse(style.color)), luminance(background)];
      const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
      found.push({
        text: `${element.className} ${text}`.slice(0, 60),
        contrast: Math.round(contrast * 100) / 100,
      });
    }
    return found;
  });
}

for (const theme of ["light", "dark"] as const) {
  test(`all text is readable in the ${theme} theme`, async ({ open }) => {
    const viewer = await open(SYSTEM);
    const { page } = viewer;
    await page.emulateMedia({ colorScheme: theme });
    await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
    await viewer.select(1357);
    for (const key of ["", "f", "r", "l", "Shift+i"]) {
      if (key !== "") await viewer.press(key);
      await viewer.timeline.idle();
      const texts = await contrasts(page);
      expect(texts.length).toBeGreaterThan(50);
      expect(
        texts.filter(({ contrast }) => contrast < 4.5),
        `panel by ${key}`,
      ).toEqual([]);
      await page.evaluate(() => {
        const { activeElement } = document;
        if (activeElement instanceof HTMLElement) activeElement.blur();
      });
    }
  });
}
