/** Rules of axe-core, names and contrast on every panel and dialog, in both themes. */

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import type { AxeResults, RunOptions } from "axe-core";
import { ACTIVE, SHORT, SYSTEM } from "./support/traces";
import { expect, test, type Viewer } from "./support/viewer";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.js");

/** Rules whose outcome depends on the theme. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/** Rules that a part of the page breaks, with the elements that break them. */
async function violations(page: Page, part: string, rules?: string[]) {
  const isLoaded = await page.evaluate(() => "axe" in window);
  // A script element would break the content security policy of the page.
  if (!isLoaded) await page.evaluate(await readFile(AXE, "utf8"));
  return page.evaluate(
    async ({ part, rules }) => {
      const { axe } = window as unknown as {
        axe: { run: (part: string, options: RunOptions) => Promise<AxeResults> };
      };
      const { violations } = await axe.run(part, rules ? { runOnly: rules } : {});
      return violations.map(({ id, nodes }) => ({
        id,
        nodes: nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)),
      }));
    },
    { part, rules },
  );
}

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

/** Controls without names, and elements that are out of order or refer to nothing. */
async function faults(page: Page) {
  const nameless = (await nodes(page)).filter(({ role, name }) => NAMED.has(role) && name === "");
  const others = await page.evaluate(() => ({
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
  return { nameless, ...others };
}

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

async function setTheme(page: Page, theme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
}

/** Checks a part of the page in both themes, and the names and references of all. */
async function expectAccessible(
  { page, timeline }: Viewer,
  view: string,
  part = "html",
): Promise<void> {
  await timeline.idle();
  await expect(page.locator(part).first(), view).toBeVisible();
  expect.soft(await violations(page, part), view).toEqual([]);
  expect
    .soft(await faults(page), view)
    .toEqual({ nameless: [], order: 0, ids: [], references: [] });
  const expectReadable = async () => {
    const texts = await contrasts(page);
    expect.soft(texts.length, view).toBeGreaterThan(50);
    expect
      .soft(
        texts.filter(({ contrast }) => contrast < 4.5),
        view,
      )
      .toEqual([]);
  };
  await expectReadable();
  await setTheme(page, "dark");
  expect.soft(await violations(page, part, COLOUR_RULES), `${view}, dark`).toEqual([]);
  await expectReadable();
  await setTheme(page, "light");
}

/** Places of panels; the rest of the page stays as it is when they change. */
const SIDE = ".panel-area[aria-label='Side panel']";
const LOWER = ".panel-area[aria-label='Lower panel']";

/** Keys that open one panel after the other. */
const PANELS: Record<string, string> = {
  details: "i",
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
};
/** Keys that open dialogs. */
const DIALOGS: Record<string, string> = {
  keys: "?",
  palette: "Control+k",
  clock: "c",
  "go to": "g",
  bookmark: "b",
};

/** A trace with a selected event, pinned details and a note. */
async function openMarked(open: (source: string, opening: { at: string }) => Promise<Viewer>) {
  const viewer = await open(SYSTEM, { at: "side=trace&bottom=events" });
  const { page } = viewer;
  await viewer.select(1357);
  await viewer.press("Enter");
  await viewer.press("j");
  const dialog = page.getByRole("dialog", { name: /^New bookmark/ });
  await dialog.getByRole("textbox", { name: "Note" }).fill("a note");
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  return viewer;
}

test("every panel is accessible in both themes", async ({ open }) => {
  test.slow();
  const viewer = await openMarked(open);
  await expectAccessible(viewer, "events");
  for (const [panel, key] of Object.entries(PANELS)) {
    await viewer.press(key);
    await expectAccessible(viewer, panel, "vy".includes(key) ? LOWER : SIDE);
    await viewer.blur();
  }
});

test("every dialog and menu is accessible in both themes", async ({ open }) => {
  test.slow();
  const viewer = await openMarked(open);
  const { page } = viewer;
  for (const [dialog, key] of Object.entries(DIALOGS)) {
    await viewer.press(key);
    await expectAccessible(viewer, dialog, "dialog[open]");
    await viewer.blur();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  }
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  await expectAccessible(viewer, "menu", "#main-menu");
  await page.keyboard.press("Escape");
  await viewer.timeline.row("alarm").click({ button: "right" });
  await expectAccessible(viewer, "context menu", "[role=menu][aria-label='Lane alarm']");
});

test("answers are accessible in both themes", async ({ open }) => {
  test.slow();
  const sql = encodeURIComponent("SELECT event, time, kind FROM events LIMIT 20");
  const viewer = await open(SYSTEM, { at: `side=intervals&bottom=sql&event=1384&sql=${sql}` });
  const { page } = viewer;
  await expect(page.getByRole("tabpanel", { name: "SQL" }).getByRole("status")).toContainText(
    "20 rows",
  );
  const intervals = page.getByRole("tabpanel", { name: "Intervals" });
  await intervals.getByRole("combobox", { name: "From" }).fill("tx_mutex_get");
  await intervals.getByRole("combobox", { name: "To the next" }).fill("tx_mutex_put");
  await intervals.getByRole("button", { name: "Measure" }).click();
  await expect(intervals.getByRole("table").first()).toBeVisible();
  await expectAccessible(viewer, "intervals and SQL");
  const graphs = await viewer.panel("Graphs");
  await graphs.getByRole("combobox", { name: "Add a graph" }).selectOption("ui: response time");
  await expect(graphs.locator(".graph-class .link")).toBeVisible();
  await viewer.panel("Critical path");
  await expectAccessible(viewer, "plot and critical path");
});

test("diagrams are accessible in both themes", async ({ open }) => {
  test.slow();
  const viewer = await open(ACTIVE);
  for (const [diagram, key] of Object.entries({ sequence: "q", machine: "h" })) {
    await viewer.press(key);
    await viewer.timeline.settled();
    await expectAccessible(viewer, diagram, SIDE);
  }
});

test("a comparison is accessible in both themes", async ({ open }) => {
  test.slow();
  const viewer = await open([SYSTEM, SHORT], { at: "compare=0.1&side=comparison" });
  const { page } = viewer;
  const panel = page.getByRole("tabpanel", { name: "Comparison" });
  const table = panel.getByRole("table", { name: "Compared figures" });
  await panel.getByRole("searchbox", { name: "Filter figures" }).fill("ui jitter.max");
  await table.getByRole("button", { name: "ui", exact: true }).click();
  await expect(panel.getByRole("img", { name: "ui: jitter" })).toBeVisible();
  await expectAccessible(viewer, "comparison");
  await viewer.press("Shift+x");
  await expectAccessible(viewer, "compare with", "dialog[open]");
});
