/**
 * Zooming and moving.
 *
 * TraceX: "Zoom in, zoom box, zoom out", 100 % = whole trace in the view, page left and right.
 * It has no keys, wheel or touch for that.
 */

import { partOf } from "./support/spot";
import { SYSTEM } from "./support/traces";
import { expect, test } from "./support/viewer";

test("the wheel, dragging and fingers zoom and pan", async ({ open }) => {
  const viewer = await open(SYSTEM);
  await test.step("the wheel zooms around the pointer", async () => {
    const { page, timeline } = viewer;
    const before = await viewer.timeline.part();
    const box = await timeline.box();
    const part = 0.3;
    const at = before.from + before.length * part;
    await page.mouse.move(box.x + box.width * part, box.y + box.height / 2);
    await viewer.whileMoving(() => page.mouse.wheel(0, -400));
    const after = await viewer.timeline.part();
    expect(after.length).toBeLessThan(before.length * 0.8);
    expect((at - after.from) / after.length).toBeCloseTo(part, 1);
    await viewer.whileMoving(() => page.mouse.wheel(0, 300));
    expect((await viewer.timeline.part()).length).toBeGreaterThan(after.length);
  });
  await test.step("Shift with the wheel, and dragging the ruler, pan", async () => {
    await viewer.press("0");
    const { page, timeline } = viewer;
    await viewer.press("w", "w", "w");
    const before = await viewer.timeline.part();
    const box = await timeline.box();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.keyboard.down("Shift");
    await viewer.whileMoving(() => page.mouse.wheel(0, 200));
    await page.keyboard.up("Shift");
    const moved = await viewer.timeline.part();
    expect(moved.from).toBeGreaterThan(before.from);
    expect(moved.length).toBeCloseTo(before.length, -1);
    await viewer.whileMoving(() => timeline.dragRuler(0.3, 0.6));
    const dragged = await viewer.timeline.part();
    expect(dragged.length).toBeCloseTo(before.length, -1);
    expect((moved.from - dragged.from) / before.length).toBeCloseTo(0.3, 1);
  });
  await test.step("pinching zooms around the fingers, one or two fingers pan", async () => {
    await viewer.press("0");
    const { timeline } = viewer;
    await viewer.press("w", "w", "w");
    const before = await viewer.timeline.part();
    await viewer.whileMoving(() => timeline.pinch([0.45, 0.55], [0.3, 0.7]));
    const after = await viewer.timeline.part();
    expect(after.length / before.length).toBeCloseTo(0.25, 1);
    expect(after.middle / before.middle).toBeCloseTo(1, 1);
    await viewer.whileMoving(() => timeline.pinch([0.4, 0.5], [0.6, 0.7]));
    const moved = await viewer.timeline.part();
    expect(moved.length / after.length).toBeCloseTo(1, 1);
    expect((after.from - moved.from) / after.length).toBeCloseTo(0.2, 1);
  });
});

test("keys, the zoom box and the range zoom within the trace", async ({ open }) => {
  const viewer = await open(SYSTEM);
  await test.step("keys zoom, pan and page", async () => {
    const { page } = viewer;
    await viewer.timeline.rested();
    const moves = async (key: string) => {
      const before = await viewer.timeline.part();
      await viewer.whileMoving(() => page.keyboard.press(key));
      const after = await viewer.timeline.part();
      return { zoom: after.length / before.length, by: (after.from - before.from) / before.length };
    };
    for (const key of ["w", "+", "="]) expect((await moves(key)).zoom).toBeCloseTo(2 / 3, 2);
    for (const key of ["s", "-"]) expect((await moves(key)).zoom).toBeCloseTo(3 / 2, 2);
    await viewer.whileMoving(() => viewer.press("w", "w", "w", "w"));
    expect((await moves("d")).by).toBeCloseTo(0.15, 2);
    expect((await moves("a")).by).toBeCloseTo(-0.15, 2);
    expect((await moves("PageDown")).by).toBeCloseTo(0.9, 2);
    expect((await moves("PageUp")).by).toBeCloseTo(-0.9, 2);
  });
  await test.step("zoom to the range, and back to 100 %", async () => {
    await viewer.press("0");
    const { page, timeline } = viewer;
    await viewer.timeline.rested();
    const { span } = await viewer.overview();
    await timeline.dragRange(0.5, 0.6);
    await viewer.whileMoving(() => page.getByRole("button", { name: "Zoom to range" }).click());
    const zoomed = await viewer.timeline.part();
    expect(zoomed.from / span).toBeCloseTo(0.5, 1);
    expect(zoomed.length / span).toBeCloseTo(0.1, 1);
    await viewer.whileMoving(() =>
      page.getByRole("button", { name: "Zoom to whole trace" }).click(),
    );
    expect(await viewer.timeline.part()).toMatchObject({ from: 0, to: span });
    await viewer.press("z");
    await expect.poll(() => partOf(page).from).toBe(zoomed.from);
  });
  await test.step("no zoom leaves the trace or shows less than makes sense", async () => {
    await viewer.press("0");
    const { page } = viewer;
    const { span } = await viewer.overview();
    await viewer.whileMoving(async () => {
      for (let time = 0; time < 40; time += 1) await page.keyboard.press("w");
    });
    expect((await viewer.timeline.part()).length).toBeGreaterThanOrEqual(8);
    expect((await viewer.timeline.part()).length).toBeLessThan(20);
    await viewer.whileMoving(async () => {
      for (let time = 0; time < 40; time += 1) await page.keyboard.press("s");
    });
    const whole = await viewer.timeline.part();
    expect(whole.from).toBeGreaterThanOrEqual(-span * 0.03);
    expect(whole.to).toBeLessThanOrEqual(span * 1.03);
    expect(whole.length).toBeGreaterThanOrEqual(span);
  });
  await test.step("the zoom box takes percent", async () => {
    await viewer.press("0");
    const { page } = viewer;
    const { span } = await viewer.overview();
    const box = page.getByRole("textbox", { name: "Zoom in percent" });
    await expect(box).toHaveValue("100 %");
    await box.fill("800");
    await viewer.whileMoving(() => box.press("Enter"));
    expect((await viewer.timeline.part()).length / span).toBeCloseTo(1 / 8, 3);
    await expect(box).toHaveValue("800 %");
    await box.fill("nonsense");
    await box.press("Enter");
    await expect(box).toHaveValue("800 %");
  });
});
