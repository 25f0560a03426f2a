/**
 * A context-switch log, as on a logic analyser: threads, handlers by name, idle, interrupts off;
 * its report has the figures of the command line.
 */

import { reported } from "./support/report";
import { LOG_IN_MEMORY, MEMORY } from "./support/traces";
import { expect, test } from "./support/viewer";

test("a log has lanes, a report and code locations", async ({ open }) => {
  const viewer = await open(MEMORY, { options: LOG_IN_MEMORY });
  await test.step("threads, handlers and interrupts-off sections have lanes", async () => {
    const { timeline } = viewer;
    expect(await timeline.rowNames()).toEqual(
      expect.arrayContaining([
        "Summary",
        "Interrupts",
        "Initialisation / idle",
        "alarm",
        "sensor",
        "display",
        "worker a",
      ]),
    );
    await timeline.row("Interrupts").focus();
    await viewer.press("ArrowRight");
    for (const handler of ["tick", "sample", "pulse"]) {
      await expect(timeline.row(`demo::threads::${handler}`)).toBeVisible();
    }
    const { lanes } = await viewer.overview();
    expect(lanes.map(({ name }) => name)).toContain("Interrupts off");
  });
  await test.step("the report matches the command line", async () => {
    const { context_switches: switches } = await reported(viewer.file, LOG_IN_MEMORY);
    const panel = await viewer.panel("Reports");
    await panel.getByRole("combobox", { name: "Report" }).selectOption("Context switches");
    // Thousands are separated.
    const number = (figure: number) =>
      new RegExp(String(figure).replace(/\B(?=(\d{3})+$)/g, "\\s?"));
    for (const { name, activations } of switches.handlers) {
      await expect(panel).toContainText(name);
      await expect(panel).toContainText(number(activations));
    }
    await expect(panel).toContainText(number(switches.dispatches));
    await expect(panel).toContainText(number(switches.interrupts_off?.duration?.max ?? -1));
  });
  await test.step("an event's details show its code location", async () => {
    await viewer.select(1);
    const panel = await viewer.panel("Details");
    await expect(panel).toContainText("interrupts disable");
    await expect(panel).toContainText(/\.rs:\d+/);
  });
  await test.step("without calls, there is no communication panel", async () => {
    await expect(viewer.page.getByRole("tab", { name: "Objects", exact: true })).toBeVisible();
    await expect(viewer.page.getByRole("tab", { name: "Communication" })).toHaveCount(0);
  });
});
