/**
 * How things are shown.
 *
 * TraceX: "Options > Status Lines > Ready Only / All On / All Off". It has one theme.
 */

import { SYSTEM } from "./support/traces";
import { expect, test, type Viewer } from "./support/viewer";

test("the theme follows the desktop until one is selected", async ({ open }) => {
  const viewer = await open(SYSTEM);
  const { page } = viewer;
  const html = page.locator("html");
  await expect(html).toHaveAttribute("data-theme", "light");
  await page.emulateMedia({ colorScheme: "dark" });
  await expect(html).toHaveAttribute("data-theme", "dark");
  await viewer.timeline.settled();
  const dark = await viewer.timeline.picture();
  expect(dark.columnsOf("--lane-background").length).toBeGreaterThan(dark.width / 2);
  const button = page.getByRole("button", { name: "Theme: system, light, dark" });
  await button.click();
  await expect(html).toHaveAttribute("data-theme", "light");
  await viewer.timeline.settled();
  const light = await viewer.timeline.picture();
  expect(light.property("--lane-background")).not.toEqual(dark.property("--lane-background"));
  expect(light.columnsOf("--lane-background").length).toBeGreaterThan(light.width / 2);
  await button.click();
  await expect(html).toHaveAttribute("data-theme", "dark");
});

/** Number of columns of a lane's picture with a colour. */
async function columns(viewer: Viewer, lane: string, property: string): Promise<number> {
  await viewer.timeline.settled();
  const [picture, box, row] = await Promise.all([
    viewer.timeline.picture(),
    viewer.timeline.box(),
    viewer.timeline.row(lane).boundingBox(),
  ]);
  const top = (row?.y ?? 0) - box.y;
  let count = 0;
  for (let x = 0; x < picture.width; x += 1) {
    // The status line is at the bottom of the row.
    if (picture.has(property, x, top + (row?.height ?? 0) - 6, top + (row?.height ?? 0)))
      count += 1;
  }
  return count;
}

test("status lines, switch lines, arrows, inversions and icons are shown or hidden", async ({
  open,
}) => {
  const viewer = await open(SYSTEM);
  await test.step("status lines show ready only, all states, or nothing", async () => {
    // Here the sensor waits for its semaphore, and the ui is ready.
    const { rows } = await viewer.query({ query: "events", offset: 1357, limit: 1, search: null });
    const time = rows[0]?.time ?? 0;
    await viewer.load(`trace=0&axis=time&from=${time - 5000}&to=${time + 100_000}`);
    const both = async () => ({
      ready: await columns(viewer, "ui", "--lane-ready"),
      waits: await columns(viewer, "sensor", "--lane-semaphore"),
    });
    const ready = await both();
    expect(ready.ready).toBeGreaterThan(20);
    expect(ready.waits).toBe(0);
    await viewer.press("Shift+s");
    const all = await both();
    expect(all.ready).toBe(ready.ready);
    expect(all.waits).toBeGreaterThan(100);
    await viewer.press("Shift+s");
    expect(await both()).toEqual({ ready: 0, waits: 0 });
    await viewer.press("Shift+s");
    expect(await both()).toEqual(ready);
  });
  await test.step("switch lines, arrows, inversions and icons can be hidden", async () => {
    await viewer.load("trace=0&axis=index&from=1340&to=1390");
    await viewer.timeline.settled();
    const before = await viewer.timeline.picture();
    for (const title of [
      "Show context-switch lines",
      "Show wake-up arrows",
      "Shade priority inversions",
      "Show event icons",
    ]) {
      await viewer.command(title);
      await viewer.timeline.settled();
      const without = await viewer.timeline.picture();
      let different = 0;
      for (let x = 0; x < before.width; x += 1) {
        for (let y = 0; y < before.height; y += 5) {
          if (before.at(x, y).join() !== without.at(x, y).join()) different += 1;
        }
      }
      expect(different, title).toBeGreaterThan(10);
      await viewer.command(title);
      await viewer.timeline.settled();
    }
  });
});

test("panels are resized by dragging and by keys", async ({ open }) => {
  const viewer = await open(SYSTEM);
  const { page } = viewer;
  const side = page.getByRole("region", { name: "Side panel" });
  const width = async () => (await side.boundingBox())?.width ?? 0;
  const before = await width();
  const line = page.getByRole("separator", { name: "Width of the side panel" });
  const box = await line.boundingBox();
  if (!box) throw new Error("there is no line");
  await page.mouse.move(box.x + box.width / 2, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(box.x - 100, box.y + 200, { steps: 4 });
  await page.mouse.up();
  await expect.poll(width).toBeGreaterThan(before + 80);
  const wide = await width();
  await line.focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(width).toBe(wide - 16);
});
