/** The address holds the location of the view, so that a reload or a shared link restores it. */

import { spotOf } from "./support/spot";
import { SMP, SYSTEM } from "./support/traces";
import { expect, test } from "./support/viewer";

test("a reload restores the location and the settings", async ({ open, context }) => {
  const viewer = await open(SYSTEM);
  await test.step("a reload restores the location", async () => {
    const { page } = viewer;
    await viewer.select(1000);
    await viewer.press("m");
    await viewer.press("Enter");
    await viewer.select(1357);
    await viewer.press("w", "w", "w", "Shift+m");
    await viewer.panel("Reports");
    await viewer.panel("Graphs");
    await viewer.timeline.rested();
    const before = spotOf(page);
    expect(before).toMatchObject({
      axis: "time",
      event: 1357,
      pinned: [1000],
      side: "reports",
      bottom: "graphs",
    });
    await viewer.reload();
    await viewer.timeline.rested();
    expect(spotOf(page)).toEqual(before);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await viewer.command("Copy a link to this view");
    await expect(page.getByText(/^Link copied/)).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
    await expect(page.getByRole("article", { name: "Details of event 1000" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Go to marker A" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Go to marker B" })).toBeVisible();
    await expect(page.getByRole("tab", { name: "Reports" })).toHaveAttribute(
      "aria-selected",
      "true",
    );
  });
  await test.step("settings are stored", async () => {
    await viewer.reset();
    const { page } = viewer;
    await viewer.press("Shift+t", "Shift+t");
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    await page.getByRole("button", { name: "Close lower panel" }).click();
    await viewer.timeline.rested();
    await viewer.load();
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    await expect(page.getByRole("tabpanel", { name: "Details" })).toBeVisible();
    await expect(page.getByRole("tablist", { name: "Lower panel" })).toBeHidden();
  });
});

test("an address opens a trace, a view, an event and a search, as far as they exist", async ({
  open,
}) => {
  const viewer = await open([SYSTEM, SMP], {
    at: "trace=1&axis=index&from=100&to=200&event=150&side=search&search=core+%3D%3D+1",
  });
  await test.step("an address opens a trace, a view, an event and a search", async () => {
    const { page } = viewer;
    await expect(page.getByRole("tab", { name: "smp32_cores.trx" })).toHaveAttribute(
      "aria-selected",
      "true",
    );
    await viewer.expectSelected(150);
    expect(await viewer.timeline.part()).toMatchObject({ from: 100, to: 200 });
    await expect(page.getByRole("button", { name: "Sequential", exact: true })).toHaveAttribute(
      "aria-pressed",
      "true",
    );
    await expect(
      page.getByRole("tabpanel", { name: "Search" }).getByRole("combobox", { name: "Filter" }),
    ).toHaveValue("core == 1");
    await expect(page.getByRole("contentinfo", { name: "Status" })).toContainText("hits");
  });
  await test.step("an address of a trace that is not open says so", async () => {
    await viewer.reset("trace=3&name=other.trx&axis=time");
    await expect(
      viewer.page.getByText("The address is of other.trx, which is not open."),
    ).toBeVisible();
  });
  await test.step("an invalid address does no harm", async () => {
    await viewer.reset(
      "trace=77&axis=sideways&from=NaN&to=-1e999&event=99999999999&a=1.2.3&b=x&pinned=9999999.-4&side=kitchen&bottom=%00&search=",
    );
    const { page } = viewer;
    await viewer.select(5);
    await viewer.press("ArrowRight");
    await viewer.expectSelected(6);
    await expect(page.getByRole("article")).toHaveCount(0);
  });
});

test("back and forward go through the jumps of the view", async ({ open }) => {
  const viewer = await open([SYSTEM, SMP]);
  const { page } = viewer;
  const whole = await viewer.timeline.part();
  await viewer.whileMoving(() =>
    page
      .getByText(/^event 1.357$/)
      .first()
      .click(),
  );
  const inversion = await viewer.timeline.part();
  // Small moves do not add entries.
  await viewer.whileMoving(() => viewer.press("d"));
  const beside = await viewer.timeline.part();
  await viewer.whileMoving(() => page.getByRole("tab", { name: "smp32_cores.trx" }).click());
  await viewer.whileMoving(() => page.goBack());
  expect(await viewer.timeline.part()).toEqual(beside);
  await expect(page.getByRole("tab", { name: "cm3_system.trx" })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  expect(beside).not.toEqual(inversion);
  await viewer.whileMoving(() => page.goBack());
  expect(await viewer.timeline.part()).toEqual(whole);
  await viewer.whileMoving(() => page.goForward());
  expect(await viewer.timeline.part()).toEqual(beside);
  await viewer.whileMoving(() => page.goForward());
  await expect(page.getByRole("tab", { name: "smp32_cores.trx" })).toHaveAttribute(
    "aria-selected",
    "true",
  );
});
