/**
 * The clock.
 *
 * TraceX: "Ticks per Microsecond..." adds times to ticks.
 */

import { readFile } from "node:fs/promises";
import { spotOf } from "./support/spot";
import { STILL, SYSTEM } from "./support/traces";
import { expect, test } from "./support/viewer";

test("entering a clock turns ticks into time, everywhere", async ({ open }) => {
  const viewer = await open(SYSTEM);
  const { page } = viewer;
  await viewer.select(1000);
  const status = page.getByRole("contentinfo", { name: "Status" });
  await expect(status).toContainText("clock unknown");
  await expect(status).toContainText("ticks");
  await status.getByRole("button", { name: "clock unknown" }).click();
  const dialog = page.getByRole("dialog", { name: "Clock" });
  const box = dialog.getByRole("textbox");
  await box.fill("soon");
  await dialog.getByRole("button", { name: "Set" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Write a frequency");
  await box.fill("25");
  await expect(dialog).toContainText("25 needs a unit: 25MHz, 25kHz");
  await dialog.getByRole("button", { name: "Set" }).click();
  await expect(dialog.getByRole("alert")).toContainText("25 needs a unit");
  await expect(status).toContainText("clock unknown");
  await box.fill("40ns");
  await expect(dialog).toContainText(
    "25 MHz: the clock ticks 25\u202f000\u202f000 times in a second.",
  );
  await dialog.getByRole("button", { name: "Set" }).click();
  await expect(dialog).toBeHidden();
  await expect(status).toContainText("25 MHz");
  const time = (await viewer.ask({ ask: "locate", axis: "index", at: 1000 }))?.time ?? 0;
  const milliseconds = (Math.floor(time / 25) / 1000).toFixed(3);
  await expect(status).toContainText(`${milliseconds} ms`);
  // The row of the table, the details and what the server keeps say the same.
  await expect(
    page.getByRole("grid", { name: "Events" }).getByRole("row", { selected: true }),
  ).toContainText(`${milliseconds} ms`);
  await expect(page.getByRole("tabpanel", { name: "Details" })).toContainText("ms");
  const kept = JSON.parse(await readFile(`${viewer.file}.rtoscope.json`, "utf8")) as object;
  expect(kept).toMatchObject({ clock_hz: 25_000_000 });

  // Ticks are one key away.
  await viewer.press("Shift+c");
  await expect(status).toContainText("ticks");
  await viewer.press("Shift+c");

  // No clock again.
  await viewer.press("c");
  await box.fill("");
  await dialog.getByRole("button", { name: "Set" }).click();
  await expect(status).toContainText("clock unknown");
});

test("the command line's clock is shown", async ({ open }) => {
  const viewer = await open(SYSTEM, { options: ["--clock", "240/us"] });
  await expect(viewer.page.getByRole("contentinfo", { name: "Status" })).toContainText("240 MHz");
});

test("a clock that stands still opens in the sequential view and says why", async ({ open }) => {
  const viewer = await open(STILL);
  await viewer.rested();
  expect(spotOf(viewer.page).axis).toBe("index");
  const panel = await viewer.panel("Trace");
  await expect(panel).toContainText("stands still");
});
