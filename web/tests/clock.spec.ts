/**
 * The clock frequency.
 *
 * TraceX: "Ticks per Microsecond..." adds times to ticks.
 */

import { spotOf } from "./support/spot";
import { STILL, SYSTEM } from "./support/traces";
import { expect, test } from "./support/viewer";

test("entering a clock frequency turns ticks into time everywhere", async ({ open }) => {
  const viewer = await open(SYSTEM);
  const { page } = viewer;
  await viewer.select(1000);
  const status = page.getByRole("contentinfo", { name: "Status" });
  await expect(status).toContainText("clock frequency unknown");
  await expect(status).toContainText("ticks");
  await status.getByRole("button", { name: "clock frequency unknown" }).click();
  const dialog = page.getByRole("dialog", { name: "Clock frequency" });
  const box = dialog.getByRole("textbox");
  await box.fill("soon");
  await dialog.getByRole("button", { name: "Set" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Enter a frequency");
  await box.fill("25");
  await expect(dialog).toContainText("25 needs a unit: 25MHz, 25kHz");
  await dialog.getByRole("button", { name: "Set" }).click();
  await expect(dialog.getByRole("alert")).toContainText("25 needs a unit");
  await expect(status).toContainText("clock frequency unknown");
  await box.fill("40ns");
  await expect(dialog).toContainText("25 MHz: 25\u202f000\u202f000 ticks per second.");
  await dialog.getByRole("button", { name: "Set" }).click();
  await expect(dialog).toBeHidden();
  await expect(status).toContainText("25 MHz");
  const time = (await viewer.query({ query: "locate", axis: "index", at: 1000 }))?.time ?? 0;
  const milliseconds = (Math.floor(time / 25) / 1000).toFixed(3);
  await expect(status).toContainText(`${milliseconds} ms`);
  // The table, the details and the notes file agree.
  await expect(
    page.getByRole("grid", { name: "Events" }).getByRole("row", { selected: true }),
  ).toContainText(`${milliseconds} ms`);
  await expect(page.getByRole("tabpanel", { name: "Details" })).toContainText("ms");
  expect(await viewer.notes()).toMatchObject({ clock_hz: 25_000_000 });

  // One key switches to ticks.
  await viewer.press("Shift+c");
  await expect(status).toContainText("ticks");
  await viewer.press("Shift+c");

  // Unset the frequency.
  await viewer.press("c");
  await box.fill("");
  await dialog.getByRole("button", { name: "Set" }).click();
  await expect(status).toContainText("clock frequency unknown");
});

test("a stopped clock opens in the sequential view, without loads, with an explanation", async ({
  open,
}) => {
  const viewer = await open(STILL);
  await viewer.timeline.rested();
  expect(spotOf(viewer.page).axis).toBe("index");
  await expect(
    viewer.page.getByRole("button", { name: "Sequential", exact: true }),
  ).toHaveAttribute("aria-pressed", "true");
  await expect(viewer.page.locator(".lane-name.load")).toHaveCount(0);
  const panel = await viewer.panel("Trace");
  const why = "the clock stood still: only the order of events is known";
  await expect(panel).toContainText(why);
  // A frequency does not make times of ticks.
  const status = viewer.page.getByRole("contentinfo", { name: "Status" });
  await status.getByRole("button", { name: why }).click();
  const dialog = viewer.page.getByRole("dialog", { name: "Clock frequency" });
  await expect(dialog).toContainText(`The frequency has no effect: ${why}.`);
  await dialog.getByRole("textbox").fill("1MHz");
  await dialog.getByRole("button", { name: "Set" }).click();
  await expect(dialog).toBeHidden();
  await expect(status).toContainText(why);
  await expect(status).not.toContainText("MHz");
});
