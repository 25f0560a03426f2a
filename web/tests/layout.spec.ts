/** What a first visit shows, in windows of several sizes, and how panels are opened and closed. */

import type { Page } from "@playwright/test";
import { ACTIVE, SYSTEM } from "./support/traces";
import { expect, test } from "./support/viewer";

test.use({ isFirstVisit: true });

/** Share of the window that the ruler, the lanes and their names have. */
async function timelineShare(page: Page): Promise<number> {
  const box = await page.locator(".timeline-body").boundingBox();
  const { width = 1, height = 1 } = page.viewportSize() ?? {};
  return ((box?.width ?? 0) * (box?.height ?? 0)) / (width * height);
}

/** Areas of the places of the page in pixels. */
function areas(page: Page) {
  return page.evaluate(() => {
    const area = (selector: string) => {
      const box = document.querySelector(selector)?.getBoundingClientRect();
      return box ? box.width * box.height : 0;
    };
    return {
      timeline: area(".timeline-place"),
      others: [area(".side-place"), area(".bottom-place")],
    };
  });
}

const SIZES = [
  { width: 1440, height: 900, share: 0.55 },
  { width: 1024, height: 768, share: 0.48 },
  { width: 400, height: 800, share: 0.45 },
];

/** In a narrow window, the timeline is above the side panel. */
async function expectOneColumn(page: Page): Promise<void> {
  const [timeline, side] = await Promise.all(
    [".timeline-place", ".side-place"].map((place) => page.locator(place).boundingBox()),
  );
  expect(timeline?.width).toBe(400);
  expect(side?.width).toBe(400);
  expect(side?.y).toBeGreaterThanOrEqual((timeline?.y ?? 0) + (timeline?.height ?? 0));
}

test("the timeline is the largest thing in windows of all sizes", async ({ open }) => {
  test.slow();
  for (const source of [SYSTEM, ACTIVE]) {
    const viewer = await open(source);
    const { page } = viewer;
    const fits = () =>
      page.evaluate(() => {
        const toolbar = document.querySelector(".toolbar");
        return {
          isToolbarOneRow: (toolbar?.clientHeight ?? 99) < 40,
          toolbarOverflow: (toolbar?.scrollWidth ?? 0) - (toolbar?.clientWidth ?? 0),
          pageOverflow: document.documentElement.scrollWidth - window.innerWidth,
        };
      });
    const fitting = { isToolbarOneRow: true, toolbarOverflow: 0, pageOverflow: 0 };
    for (const { share, ...size } of SIZES) {
      await test.step(`${source.replace(/.*\//, "")} at ${size.width} × ${size.height}`, async () => {
        await viewer.reset("", size);
        expect(await timelineShare(page)).toBeGreaterThan(share);
        expect(await fits()).toEqual(fitting);
        const { width: lanes } = await viewer.timeline.box();
        expect(lanes / size.width).toBeGreaterThan(size.width === 1024 ? 0.6 : 0.5);
        if (size.width === 400) await expectOneColumn(page);
        // Also with panels beside and below it.
        await viewer.press("e", "r");
        await viewer.timeline.settled();
        expect(await fits()).toEqual(fitting);
        const { timeline, others } = await areas(page);
        expect(others.every((area) => area > 0)).toBe(true);
        expect(timeline).toBeGreaterThan(Math.max(...others));
      });
    }
  }
});

for (const { width, height, least } of [
  { width: 1024, height: 768, least: 6 },
  { width: 400, height: 800, least: 4 },
]) {
  test(`a report has rows in a window of ${width} × ${height}, and more room by its line`, async ({
    page,
    open,
  }) => {
    const viewer = await open(SYSTEM);
    await viewer.reset("side=reports", { width, height });
    const choice = page.getByRole("combobox", { name: "Report" });
    const shown = () =>
      page.locator(".side-place .panel-content").evaluate((panel) => {
        const room = panel.getBoundingClientRect();
        const rows = [...panel.querySelectorAll("tbody tr")];
        return rows.filter((row) => row.getBoundingClientRect().bottom <= room.bottom).length;
      });
    for (const title of ["Periods", "Threads", "Communication"]) {
      await choice.selectOption(title);
      await expect.poll(shown, { message: title }).toBeGreaterThanOrEqual(least);
    }
    const before = await shown();
    await page.getByRole("separator", { name: "Height of the side panel" }).focus();
    for (let step = 0; step < 4; step += 1) await page.keyboard.press("ArrowUp");
    await expect.poll(shown).toBeGreaterThan(before);
  });
}

/** Controls and texts outside of panels that are cut, or that overlap another one. */
function cutControls(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found = [
      ...document.querySelectorAll<HTMLElement>(
        ".toolbar :is(button, select, input), .trace-tabs button, .lane-tools :is(select, input), " +
          "[role=tab], .panel-tabs button, .panel-rail button, .status-bar .cell",
      ),
    ].filter((one) => one.checkVisibility({ visibilityProperty: true }));
    const name = (one: HTMLElement) => one.ariaLabel ?? one.textContent ?? "";
    const whole: { one: HTMLElement; box: DOMRect }[] = [];
    const problems: string[] = [];
    for (const one of found) {
      const box = one.getBoundingClientRect();
      let isHidden = false;
      for (let around = one.parentElement; around !== null; around = around.parentElement) {
        if (getComputedStyle(around).overflow === "visible") continue;
        const room = around.getBoundingClientRect();
        // A further line of a row is hidden as a whole.
        isHidden ||= box.top >= room.bottom - 1 || box.left >= room.right - 1;
        const isIn =
          box.left >= room.left - 1 &&
          box.right <= room.right + 1 &&
          box.top >= room.top - 1 &&
          box.bottom <= room.bottom + 1;
        if (!isIn && !isHidden) problems.push(`${name(one)} is cut by ${around.className}`);
      }
      if (isHidden) {
        // The menu has these; others would be out of reach.
        if (one.tagName === "BUTTON" && !one.closest("[role=tablist], .panel-rail"))
          problems.push(`${name(one)} is hidden`);
        continue;
      }
      if (one instanceof HTMLSelectElement) {
        const { font, paddingLeft } = getComputedStyle(one);
        const ruler = document.createElement("canvas").getContext("2d");
        if (ruler) ruler.font = font;
        const text = ruler?.measureText(one.selectedOptions[0]?.label ?? "").width ?? 0;
        // The arrow has about the width of two letters.
        if (text + Number.parseFloat(paddingLeft) + 18 > one.clientWidth)
          problems.push(`the text of ${name(one)} has no room`);
      }
      if (box.left < 0 || box.right > innerWidth) problems.push(`${name(one)} is outside`);
      const { scrollWidth, clientWidth } = one;
      if (scrollWidth > clientWidth + 1 && getComputedStyle(one).display !== "inline")
        problems.push(`the text of ${name(one)} is cut: ${scrollWidth} > ${clientWidth}`);
      for (const other of whole) {
        const apart =
          box.right <= other.box.left + 1 ||
          other.box.right <= box.left + 1 ||
          box.bottom <= other.box.top + 1 ||
          other.box.bottom <= box.top + 1;
        if (!apart && !one.contains(other.one) && !other.one.contains(one))
          problems.push(`${name(one)} overlaps ${name(other.one)}`);
      }
      whole.push({ one, box });
    }
    return problems;
  });
}

for (const source of [ACTIVE, SYSTEM]) {
  test(`nothing is cut or overlaps at any width: ${source.replace(/.*\//, "")}`, async ({
    open,
  }) => {
    test.slow();
    const viewer = await open(source, { at: "side=trace&bottom=events&event=357" });
    for (const panels of ["open", "closed"]) {
      if (panels === "closed") await viewer.press("Shift+i", "e");
      for (const width of [1440, 1280, 1200, 1100, 1024, 900, 899, 768, 700, 600, 480, 400]) {
        await viewer.resize(width, 800);
        expect(await cutControls(viewer.page), `panels ${panels}, ${width} pixels`).toEqual([]);
      }
    }
  });
}

test("the menu has panels without a tab, and works by keyboard", async ({ page, open }) => {
  const viewer = await open(SYSTEM, { at: "side=trace" });
  await test.step("panels without room for a tab are in the menu, and get one when they open", async () => {
    await viewer.resize(1200, 768);
    const tabs = page.getByRole("tablist", { name: "Side panel" });
    const legend = tabs.getByRole("tab", { name: "Legend" });
    const isShown = async () => {
      const [box, row] = await Promise.all([legend.boundingBox(), tabs.boundingBox()]);
      return box !== null && row !== null && box.y < row.y + row.height;
    };
    expect(await isShown()).toBe(false);
    await page.getByRole("region", { name: "Side panel" }).getByLabel("More panels").click();
    await page.getByRole("menuitemcheckbox", { name: "Legend" }).click();
    await expect(page.getByRole("tabpanel", { name: "Legend" })).toBeVisible();
    await expect.poll(isShown).toBe(true);
    // By keys, tabs have their order.
    await legend.focus();
    await viewer.press("ArrowLeft");
    await expect(page.getByRole("tabpanel", { name: "Bookmarks" })).toBeVisible();
  });
  await test.step("the menu works by keyboard", async () => {
    await viewer.reset();
    await page.getByRole("button", { name: "Menu", exact: true }).focus();
    await viewer.press("Enter");
    await expect(page.getByRole("menuitemcheckbox", { name: "Trace information" })).toBeFocused();
    await viewer.press("ArrowDown", "ArrowDown", "ArrowDown");
    await expect(page.getByRole("menuitemcheckbox", { name: "Reports" })).toBeFocused();
    await viewer.press("Enter");
    await expect(page.getByRole("tabpanel", { name: "Reports" })).toBeVisible();
    await page.getByRole("button", { name: "Menu", exact: true }).click();
    await viewer.press("Escape");
    await expect(page.getByRole("menu", { name: "Menu" })).toBeHidden();
  });
  await test.step("a key just after the menu opens is the menu's", async () => {
    await viewer.reset();
    const { page } = viewer;
    // In one task: the toggle event has not reached the page yet.
    const isTaken = await page.evaluate(() => {
      document.getElementById("main-menu")?.showPopover();
      const key = new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true });
      return !document.body.dispatchEvent(key);
    });
    expect(isTaken).toBe(false);
  });
  await test.step("an event that is selected in the timeline shows its details", async () => {
    await viewer.reset();
    await expect(page.getByRole("tabpanel", { name: "Trace", exact: true })).toBeVisible();
    await viewer.press("ArrowRight");
    await expect(page.getByRole("tabpanel", { name: "Details" })).toBeVisible();
  });
});

test("the lanes grow to fill the height, up to a limit", async ({ open }) => {
  const viewer = await open(SYSTEM);
  const heightOf = async () => (await viewer.timeline.row("sensor").boundingBox())?.height ?? 0;
  await viewer.resize(1440, 700);
  expect(await heightOf()).toBeGreaterThan(30);
  const [lanes, last] = await Promise.all([
    viewer.timeline.box(),
    viewer.timeline.row("monitor").boundingBox(),
  ]);
  const below = lanes.y + lanes.height - ((last?.y ?? 0) + (last?.height ?? 0));
  expect(below).toBeGreaterThan(0);
  expect(below).toBeLessThan(60);
  await viewer.resize(1440, 400);
  expect(await heightOf()).toBe(30);
  await viewer.resize(1440, 1600);
  expect(await heightOf()).toBe(72);
  // A height that is set stays.
  await viewer.command("Taller lanes");
  await expect.poll(heightOf).toBe(78);
  await viewer.resize(1440, 700);
  await expect.poll(heightOf).toBe(78);
  await viewer.command("Lanes fill the height");
  await expect.poll(heightOf).toBeLessThan(72);
});

test("every panel can be closed, and opened again by the menu and the rail", async ({
  page,
  open,
}) => {
  test.slow();
  await open(ACTIVE);
  const closeBoth = async () => {
    for (const name of ["Close side panel", "Close lower panel"]) {
      const button = page.getByRole("button", { name });
      if ((await button.count()) > 0) await button.click();
    }
    await expect(page.getByRole("tabpanel")).toHaveCount(0);
  };
  const PANELS = {
    "Trace information": "Trace",
    "Event details": "Details",
    "Search…": "Search",
    Reports: "Reports",
    Objects: "Objects",
    Bookmarks: "Bookmarks",
    Legend: "Legend",
    "Sequence diagram": "Sequence",
    "State machine": "State machine",
    "Event table": "Events",
    "Graphs of load and levels": "Graphs",
  };
  for (const [command, title] of Object.entries(PANELS)) {
    const panel = page.getByRole("tabpanel", { name: title, exact: true });
    await closeBoth();
    await page.getByRole("button", { name: "Menu", exact: true }).click();
    const entry = page.getByRole("menuitemcheckbox", { name: command, exact: true });
    await expect(entry).toHaveAttribute("aria-checked", "false");
    await entry.click();
    await expect(panel, command).toBeVisible();
    await closeBoth();
    await page
      .getByRole("navigation", { name: /^Open (side|lower) panel$/ })
      .getByRole("button", { name: title, exact: true })
      .click();
    await expect(panel, title).toBeVisible();
  }
});
