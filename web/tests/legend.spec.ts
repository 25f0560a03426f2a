/**
 * The legend.
 *
 * TraceX: "ThreadX / FileX / NetX / USBX Legend", 88 / 73 / 166 / 218 events with icon and name (id).
 */

import { writeFile } from "node:fs/promises";
import { CAMERA, CAMERA_PIPELINE, SYSTEM } from "./support/traces";
import { expect, test } from "./support/viewer";

test("the legend explains bars and lines, and lists and finds event kinds", async ({ open }) => {
  const viewer = await open(SYSTEM);
  await test.step("the legend explains bars and lines", async () => {
    const panel = await viewer.panel("Legend");
    await expect(panel).toContainText("priority inversion");
    await expect(panel).toContainText("ready, not running");
    // Nothing declares a pipeline, and there is no text log.
    await expect(panel).not.toContainText("pipeline");
    await expect(panel).not.toContainText("text log");
  });
  await test.step("the legend finds kinds by name, number and letters, and steps by them", async () => {
    const { kinds } = await viewer.overview();
    const queue = kinds.filter(({ name }) => name.includes("queue"));
    expect(queue.length).toBeGreaterThan(0);
    const panel = await viewer.panel("Legend");
    const box = panel.getByRole("searchbox", { name: "Find an event kind" });
    await box.fill("queue");
    await expect(panel.locator(".kinds").getByRole("listitem")).toHaveCount(queue.length);
    const [kind] = queue;
    await panel.getByRole("button", { name: kind?.name ?? "", exact: true }).click();
    await expect
      .poll(async () => {
        const event = Number(
          await viewer.page.getByRole("textbox", { name: "Event number" }).inputValue(),
        );
        return (await viewer.query({ query: "event", event }))?.kind;
      })
      .toBe(kind?.id);
    await expect(viewer.page.getByRole("combobox", { name: "Step by" })).toHaveValue(
      `kind ${kind?.id}`,
    );
    await box.fill("no such kind");
    await expect(panel).toContainText("No matching event kind.");
  });
  await test.step("the legend lists the event kinds of this trace, and of all components", async () => {
    await viewer.reset();
    const [{ kinds }, all] = await Promise.all([
      viewer.overview(),
      viewer.query({ query: "legend" }),
    ]);
    const panel = await viewer.panel("Legend");
    const listed = panel.locator(".kinds").getByRole("listitem");
    await expect(listed).toHaveCount(kinds.length);
    const [one] = kinds;
    if (!one) throw new Error("the trace has no events");
    const item = listed.filter({
      has: viewer.page.getByRole("button", { name: one.name, exact: true }),
    });
    await expect(item.locator(".kind-icon")).toHaveText(one.letters);
    await expect(item).toContainText(String(one.id));
    const background = await item
      .locator(".kind-icon")
      .evaluate((icon) => getComputedStyle(icon).background);
    const channels = one.colour
      .slice(1)
      .match(/../g)
      ?.map((part) => Number.parseInt(part, 16));
    expect(background).toContain(`rgb(${channels?.join(", ")})`);

    await panel.getByRole("checkbox", { name: "in this trace" }).uncheck();
    await expect(listed).toHaveCount(all.length);
    expect(all.length).toBeGreaterThanOrEqual(88 + 73 + 166);
    for (const component of new Set(all.map((kind) => kind.component))) {
      await expect(panel.getByRole("heading", { name: component, exact: true })).toBeVisible();
    }
  });
});

test("bars and lines have their own colour in both themes, and a text log has a lane", async ({
  open,
}, info) => {
  const log = info.outputPath("console.txt");
  await writeFile(log, "0005769e i frame 1\n00077c0e w frame 1 shown\n");
  const format = ["-O", "text-log-format={ticks:x} {level} {text}"];
  const viewer = await open(CAMERA, {
    options: [...CAMERA_PIPELINE, "--text-log", log, ...format],
  });
  const { page, timeline } = viewer;
  await test.step("a text log has a lane with its last line", async () => {
    expect(await timeline.rowNames()).toContain("console.txt");
    const { x, y } = await timeline.point("console.txt", 1_000_000);
    await page.mouse.move(x, y);
    await expect(page.getByRole("tooltip")).toContainText("line 2 warning: frame 1 shown");
    await page.mouse.move(0, 0);
  });
  const { classes } = await viewer.overview();
  const panel = await viewer.panel("Legend");
  const swatches = panel.locator(".classes").getByRole("listitem");
  await expect(swatches).toHaveCount(
    classes.filter(({ name }) => name !== "nothing" && !name.startsWith("state-")).length,
  );
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme);
    const colours = await panel
      .locator(".swatch")
      .evaluateAll((all) => all.map((swatch) => getComputedStyle(swatch).backgroundColor));
    expect(new Set(colours).size, colorScheme).toBe(colours.length);
  }
});
