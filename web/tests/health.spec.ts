/**
 * Diagnostics of a trace.
 *
 * TraceX: "Trace File Information"; it does not report damage.
 */

import { HALTED, recording, SMP, SYSTEM, WRAPPED } from "./support/traces";
import { expect, test } from "./support/viewer";

test("a banner shows what is wrong, links to it and can be dismissed", async ({ open }) => {
  const viewer = await open(HALTED);
  const { page } = viewer;
  const { diagnostics } = await viewer.overview();
  const grave = diagnostics.filter(({ severity }) => severity !== "info");
  expect(grave.length, "decoder warnings").toBeGreaterThan(0);
  const banner = page.getByRole("complementary", { name: "Trace health" });
  await expect(banner).toBeVisible();
  await banner.getByRole("button", { name: /more/ }).click();
  const panel = page.getByRole("tabpanel", { name: "Trace" });
  for (const { message } of diagnostics) await expect(panel).toContainText(message);
  // The panel lists it, too.
  await expect(banner).toBeHidden();
  await viewer.press("i");
  await banner.getByRole("button", { name: "Dismiss" }).click();
  await expect(banner).toBeHidden();
});

test("findings link to their event, and reports say what they cover", async ({ open }) => {
  const viewer = await open(SYSTEM);
  await test.step("findings are shown in the banner and link to their event", async () => {
    const banner = viewer.page.getByRole("complementary", { name: "Trace health" });
    await expect(banner).toContainText("alarm (priority 5) was blocked on mutex spi (plain) of ui");
    await banner.getByRole("button", { name: /^event \d+/ }).click();
    await viewer.expectSelected(1357);
  });
  await test.step("figures of the whole recording are labelled in a partial report", async () => {
    const panel = await viewer.panel("Reports");
    await panel
      .getByRole("combobox", { name: "Report", exact: true })
      .selectOption({ label: "Recording health" });
    await expect(panel).toContainText("Registered objects");
    await panel.getByRole("button", { name: "Visible" }).click();
    await expect(panel).toContainText("These figures cover the whole recording");
  });
  await test.step("an unused component has no list of zeros", async () => {
    const panel = await viewer.panel("Reports");
    for (const name of ["FileX", "NetX", "USBX"]) {
      await panel
        .getByRole("combobox", { name: "Report", exact: true })
        .selectOption({ label: `${name} statistics` });
      await expect(panel).toContainText("No events of this component in the trace.");
      await expect(panel.locator("dl")).toHaveCount(0);
    }
  });
});

test("the trace panel has properties, overwritten events, and no banner if all is well", async ({
  open,
}) => {
  await test.step("the panel shows the properties of the recording", async () => {
    const viewer = await open(SMP);
    const { events, cores, objects, contexts } = await viewer.overview();
    const panel = await viewer.panel("Trace");
    const fact = async (term: string) =>
      (
        await panel
          .getByRole("term")
          .filter({ hasText: new RegExp(`^${term}$`) })
          .locator("+ dd")
          .innerText()
      ).replaceAll("\u202f", "");
    expect(await fact("Events")).toBe(String(events));
    expect(await fact("Cores")).toContain(cores.join(", "));
    expect(await fact("Objects")).toBe(String(objects.length));
    expect(await fact("Threads")).toBe(
      String(contexts.filter(({ kind }) => kind === "thread").length),
    );
  });
  await test.step("overwritten events are reported", async () => {
    const viewer = await open(WRAPPED);
    const panel = await viewer.panel("Trace");
    await expect(panel).toContainText("overwritten");
  });
  await test.step("a sound trace has no banner", async () => {
    const viewer = await open(recording("linux32_exact"));
    const { diagnostics, gaps } = await viewer.overview();
    expect(diagnostics.filter(({ severity }) => severity !== "info")).toEqual([]);
    expect(gaps).toEqual([]);
    await viewer.panel("Trace");
    await expect(viewer.page.getByRole("complementary", { name: "Trace health" })).toHaveCount(0);
  });
});
