/**
 * The legend.
 *
 * TraceX: "ThreadX / FileX / NetX / USBX Legend", 88 / 73 / 166 / 218 events with icon and name (id).
 */

import { writeFile } from "node:fs/promises";
import { CAMERA, CAMERA_PIPELINE, SYSTEM } from "./support/traces";
import { expect, test } from "./support/viewer";

test("the legend lists the event kinds of this trace, and of all components", async ({ open }) => {
  const viewer = await open(SYSTEM);
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

test("the legend finds kinds by name, number and letters, and steps by them", async ({ open }) => {
  const viewer = await open(SYSTEM);
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

test("the legend explains bars and lines", async ({ open }) => {
  const viewer = await open(SYSTEM);
  const panel = await viewer.panel("Legend");
  await expect(panel).toContainText("priority inversion");
  await expect(panel).toContainText("ready, not running");
  // Nothing declares a pipeline, and there is no text log.
  await expect(panel).not.toContainText("pipeline");
  await expect(panel).not.toContainText("text log");
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`all bars and lines have their own colour in the ${colorScheme} theme`, async ({
    open,
    page,
  }, info) => {
    await page.emulateMedia({ colorScheme });
    const log = info.outputPath("console.txt");
    await writeFile(log, "0005769e frame 1\n");
    const viewer = await open(CAMERA, {
      options: [...CAMERA_PIPELINE, "--text-log", log, "--text-log-format", "{ticks:x} {text}"],
    });
    const { classes } = await viewer.overview();
    const panel = await viewer.panel("Legend");
    const swatches = panel.locator(".classes").getByRole("listitem");
    await expect(swatches).toHaveCount(
      classes.filter(({ name }) => name !== "nothing" && !name.startsWith("state-")).length,
    );
    const colours = await panel
      .locator(".swatch")
      .evaluateAll((all) => all.map((swatch) => getComputedStyle(swatch).backgroundColor));
    expect(new Set(colours).size).toBe(colours.length);
  });
}
