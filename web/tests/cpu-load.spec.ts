/** CPU load by context above the lanes; its figures are those of the profile of each part. */

import type { Page } from "@playwright/test";
import type { ProfileRow } from "../src/session/reports";
import { reported } from "./support/report";
import { RULER } from "./support/timeline";
import { CAMERA, CAMERA_PIPELINE, SMP, SYSTEM } from "./support/traces";
import { expect, test, type Viewer } from "./support/viewer";

const digits = (text: string) => Number(text.replace(/\D/g, ""));

/** Facts of the tooltip by their names. */
async function facts(page: Page): Promise<Map<string, string>> {
  const tooltip = page.getByRole("tooltip");
  const [names = [], values = []] = await Promise.all(
    ["dt", "dd"].map((part) => tooltip.locator(part).allInnerTexts()),
  );
  return new Map(names.map((name, at) => [name, values[at] ?? ""]));
}

/** Rests the pointer on the load at fractions of its row, from the left and from the bottom. */
async function hover(viewer: Viewer, x: number, y: number, title = "CPU load"): Promise<void> {
  const { page, timeline } = viewer;
  const row = await page.locator(".lane-name.load", { hasText: title }).first().boundingBox();
  if (row === null) throw new Error(`${title} is not shown`);
  const box = await timeline.box();
  await page.mouse.move(box.x + 5, box.y + RULER / 2);
  await expect(page.getByRole("tooltip")).toBeHidden();
  await page.mouse.move(box.x + box.width * x, row.y + row.height * (1 - y));
  await expect(page.getByRole("tooltip")).toContainText(title);
}

/** Compares the tooltip with the profile of its window. */
async function expectProfile(viewer: Viewer, options: readonly string[] = []): Promise<number> {
  const shown = await facts(viewer.page);
  const [from = "", to = ""] = (shown.get("Window") ?? "").split(" to ");
  const window = ["--from", String(digits(from)), "--to", String(digits(to))];
  const { profile } = await reported(viewer.file, [...window, ...options]);
  const named = (row: ProfileRow) => shown.get(row.context);
  const ran = profile.filter(({ duration }) => duration > 0);
  const listed = ran.filter((row) => named(row) !== undefined);
  for (const row of listed) {
    const [share = "", ticks = ""] = (named(row) ?? "").split("(");
    expect(digits(ticks), `ticks of ${row.context}`).toBe(row.duration);
    expect(share.trim(), `share of ${row.context}`).toBe(`${(row.percent ?? 0).toFixed(1)} %`);
  }
  // Contexts with little time share one row.
  expect(ran.length - listed.length === 0 || listed.length >= 8).toBe(true);
  expect(shown.has("(unknown)")).toBe(ran.some(({ kind }) => kind === "unknown"));
  return listed.length;
}

test("the load equals the profile of the same window, at every zoom", async ({ open }) => {
  // Each comparison runs the program.
  test.slow();
  const viewer = await open(SYSTEM);
  const { page } = viewer;
  let contexts = 0;
  for (let zoom = 0; zoom < 6; zoom += 1) {
    for (const x of [0.2, 0.85]) {
      await hover(viewer, x, 0.1);
      contexts += await expectProfile(viewer);
    }
    await page.mouse.move(0, 0);
    await viewer.whileMoving(() => viewer.press("w", "w", "w"));
  }
  expect(contexts).toBeGreaterThan(15);
  await viewer.command("Switch between time view and sequential view");
  await viewer.timeline.rested();
});

/** At these events, interrupts run; between them the decoder does. */
const BETWEEN_INTERRUPTS = "axis=index&from=608&to=617";

test("in the sequential view, the contexts are those of the summary", async ({ open }) => {
  const viewer = await open(CAMERA, { options: CAMERA_PIPELINE });
  await viewer.reset(BETWEEN_INTERRUPTS);
  await viewer.timeline.rested();
  for (const x of [0.2, 0.5, 0.9]) {
    await hover(viewer, x, 0.1, "Running contexts");
    const shown = await facts(viewer.page);
    const isr = [...shown].find(([name]) => name.startsWith("ISR"));
    expect(isr?.[1]).toMatch(/^100.0 % \(1 event\)$/);
    expect([...shown.keys()]).not.toContain("decoder");
  }
});

test("all cores, and each core", async ({ open }) => {
  const viewer = await open(SMP);
  const { page } = viewer;
  await hover(viewer, 0.5, 0.1);
  await expectProfile(viewer);
  await page.getByRole("button", { name: "CPU load of each core" }).click();
  await viewer.timeline.idle();
  const { cores } = await viewer.overview();
  for (const core of cores) {
    await hover(viewer, 0.4, 0.1, `CPU load of core ${core}`);
    await expectProfile(viewer, ["--core", String(core)]);
  }
});

test("contexts of the load are selected by pointer and keys, and the load is hidden", async ({
  open,
}) => {
  const viewer = await open(SYSTEM);
  await test.step("a click on a band selects its context, another one or Escape clears it", async () => {
    const { page, timeline } = viewer;
    await hover(viewer, 0.5, 0.03);
    const title = await page.getByRole("tooltip").locator("strong").innerText();
    const context = title.replace("CPU load: ", "");
    const click = () => page.mouse.down().then(() => page.mouse.up());
    await click();
    const selected = timeline.names.locator("[data-selected]");
    await expect(selected).toHaveAttribute("aria-label", context);
    await page.keyboard.press("Escape");
    await expect(selected).toHaveCount(0);
    await click();
    await expect(selected).toHaveCount(1);
    await click();
    await expect(selected).toHaveCount(0);
  });
  await test.step("contexts of the load are selected by keys, too", async () => {
    await viewer.reset();
    const { page, timeline } = viewer;
    await timeline.idle();
    await page.getByRole("button", { name: "CPU load", exact: true }).focus();
    await viewer.press("Enter");
    const menu = page.getByRole("menu", { name: "CPU load" });
    const entry = menu.getByRole("menuitemradio", { name: "logger" });
    await expect(entry).toHaveAttribute("aria-checked", "false");
    await entry.focus();
    await viewer.press("Enter");
    await expect(timeline.names.locator("[data-selected]")).toHaveAttribute("aria-label", "logger");
    await expect(page.getByRole("button", { name: "CPU load", exact: true })).toBeFocused();
    await viewer.press("Enter");
    await expect(entry).toHaveAttribute("aria-checked", "true");
  });
  await test.step("the load can be hidden, and is absent without a clock", async () => {
    await viewer.reset();
    const { page } = viewer;
    await expect(page.locator(".lane-name.load")).toHaveCount(1);
    await viewer.command("Show the CPU load");
    await expect(page.locator(".lane-name.load")).toHaveCount(0);
  });
});
