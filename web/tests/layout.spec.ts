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

for (const { width, height, share } of SIZES) {
  test(`the timeline is the largest thing at ${width} × ${height}`, async ({ page, open }) => {
    await page.setViewportSize({ width, height });
    for (const source of [SYSTEM, ACTIVE]) {
      const viewer = await open(source);
      expect(await timelineShare(page)).toBeGreaterThan(share);
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
      expect(await fits()).toEqual(fitting);
      // Also with panels beside and below it.
      await viewer.press("e", "r");
      await viewer.timeline.settled();
      expect(await fits()).toEqual(fitting);
      const { timeline, others } = await areas(page);
      expect(others.every((area) => area > 0)).toBe(true);
      expect(timeline).toBeGreaterThan(Math.max(...others));
      await page.evaluate(() => localStorage.clear());
    }
  });
}

test("at 400 pixels there is one column, the timeline first", async ({ page, open }) => {
  await page.setViewportSize({ width: 400, height: 800 });
  await open(SYSTEM);
  const [timeline, side] = await Promise.all(
    [".timeline-place", ".side-place"].map((place) => page.locator(place).boundingBox()),
  );
  expect(timeline?.width).toBe(400);
  expect(side?.width).toBe(400);
  expect(side?.y).toBeGreaterThanOrEqual((timeline?.y ?? 0) + (timeline?.height ?? 0));
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
  expect(await heightOf()).toBe(52);
  // A height that is set stays.
  await viewer.command("Taller lanes");
  await expect.poll(heightOf).toBe(58);
  await viewer.resize(1440, 700);
  await expect.poll(heightOf).toBe(58);
  await viewer.command("Lanes fill the height");
  await expect.poll(heightOf).toBeLessThan(52);
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

test("the menu works by keyboard", async ({ page, open }) => {
  const viewer = await open(SYSTEM);
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

test("a key just after the menu opens is the menu's", async ({ page, open }) => {
  await open(SYSTEM);
  // In one task: the toggle event has not reached the page yet.
  const isTaken = await page.evaluate(() => {
    document.getElementById("main-menu")?.showPopover();
    const key = new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true });
    return !document.body.dispatchEvent(key);
  });
  expect(isTaken).toBe(false);
});

test("an event that is selected in the timeline shows its details", async ({ page, open }) => {
  const viewer = await open(SYSTEM);
  await expect(page.getByRole("tabpanel", { name: "Trace", exact: true })).toBeVisible();
  await viewer.press("ArrowRight");
  await expect(page.getByRole("tabpanel", { name: "Details" })).toBeVisible();
});
