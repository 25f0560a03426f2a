/** The page with a recording in Firefox, from disk. */

import { mkdirSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { expect, test } from "@playwright/test";
import { Firefox } from "./support/bidi";
import { exportedPage } from "./support/exported-page";

/** How many colours the lanes have. */
const COLOURS = `(() => {
  const colours = new Set();
  for (const canvas of document.querySelectorAll(".timeline-canvases canvas")) {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    for (const pixel of new Uint32Array(data.buffer)) colours.add(pixel);
  }
  return String(colours.size);
})()`;

test("a file with a recording opens from disk", async ({ browserName: _ }, info) => {
  const profile = info.outputPath("profile");
  mkdirSync(profile, { recursive: true });
  const firefox = await Firefox.start(profile);
  try {
    await firefox.open(pathToFileURL(exportedPage(info.outputPath("trace.html"))).href);
    const shown = () => firefox.text("document.body.innerText");
    await expect.poll(shown).toContain("cm3_system.trx");
    await expect.poll(shown).toContain("64 MHz");
    await expect.poll(async () => Number(await firefox.text(COLOURS))).toBeGreaterThan(5);
    expect(firefox.complaints).toEqual([]);
  } finally {
    await firefox.stop();
  }
});
