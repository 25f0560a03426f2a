/** Declared pipelines: lanes of stages, late items and their causes. */

import { isNear } from "./support/picture";
import { CAMERA, CAMERA_PIPELINE } from "./support/traces";
import { expect, test } from "./support/viewer";

/** Frames 14 and 1 in the decoder, in ticks since the first event. */
const LATE = 3_700_000;
const IN_TIME = 310_000;

test("stages have lanes, and late and dropped items are explained", async ({ open }) => {
  const viewer = await open(CAMERA, { options: CAMERA_PIPELINE });
  await test.step("stages have lanes, and a late item names its cause", async () => {
    const { page, timeline } = viewer;
    const names = await timeline.rowNames();
    for (const stage of ["ISR 24", "decoder", "filter", "display"]) {
      expect(names).toContain(`video: ${stage}`);
    }
    const tooltip = page.getByRole("tooltip");
    const late = await timeline.point("video: decoder", LATE);
    await page.mouse.move(late.x, late.y);
    await expect(tooltip).toContainText("item 14, late in decoder: preempted by network for 21.");
    // An arrow leads from the decoder to the filter.
    const overview = await viewer.overview();
    const lane = overview.lanes.findIndex(({ name }) => name === "video: decoder");
    const [probe] = await viewer.query({ query: "probe", axis: "time", at: LATE, lanes: [lane] });
    const left = probe?.path[1]?.left?.time ?? Number.NaN;
    const [above, below, box] = [
      await timeline.point("video: decoder", left),
      await timeline.point("video: filter", left),
      await timeline.box(),
    ];
    const isArrow = async () => {
      const picture = await timeline.picture();
      const y = (above.y + below.y) / 2 - box.y;
      const around = [-2, -1, 0, 1, 2].map((dx) => picture.at(above.x - box.x + dx, y));
      return around.some((colour) => isNear(colour, picture.property("--accent"), 24));
    };
    await expect.poll(isArrow).toBe(true);
    await page.mouse.move(5, 5);
    await expect.poll(isArrow).toBe(false);
    const inTime = await timeline.point("video: decoder", IN_TIME);
    await page.mouse.move(inTime.x, inTime.y);
    await expect(tooltip).toContainText("item 1, completed");
  });
  await test.step("the report names late and dropped items", async () => {
    const { page } = viewer;
    await page.getByRole("tab", { name: "Reports" }).click();
    await page.getByRole("combobox", { name: "Report" }).selectOption("pipeline");
    const misses = page.getByRole("table").filter({ hasText: "Culprit" });
    await expect(misses.getByRole("row")).toHaveCount(7);
    const dropped = misses.getByRole("row").filter({ hasText: "dropped" });
    await expect(dropped).toContainText("raw was full: decoder had item 14 (preempted by network)");
  });
});
