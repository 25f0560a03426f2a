/** Text logs beside a trace. */

import { writeFile } from "node:fs/promises";
import { CAMERA, CAMERA_PIPELINE } from "./support/traces";
import { expect, test } from "./support/viewer";

test("a text log has a lane with its last line", async ({ open }, info) => {
  const log = info.outputPath("console.txt");
  await writeFile(log, "0005769e i frame 1\n00077c0e w frame 1 shown\n");
  const format = ["--text-log-format", "{ticks:x} {level} {text}"];
  const { page, timeline } = await open(CAMERA, {
    options: [...CAMERA_PIPELINE, "--text-log", log, ...format],
  });
  expect(await timeline.rowNames()).toContain("console.txt");
  const { x, y } = await timeline.point("console.txt", 1_000_000);
  await page.mouse.move(x, y);
  await expect(page.getByRole("tooltip")).toContainText("line 2 warning: frame 1 shown");
});
