/**
 * Measuring and marking.
 *
 * TraceX: "Delta" (ticks and µs of the dragged range), "drag" in both views.
 */

import { readFile } from "node:fs/promises";
import { partOf } from "./support/spot";
import { SYSTEM } from "./support/traces";
import { expect, test } from "./support/viewer";

test("dragging measures a range in ticks, and in time if the clock frequency is known", async ({
  open,
}) => {
  const viewer = await open(SYSTEM);
  const { page, timeline } = viewer;
  await timeline.dragRange(0.25, 0.75);
  const range = page.getByTestId("range");
  const measured = Number((await range.innerText()).replace(/\D/g, ""));
  const half = partOf(page).length / 2;
  // The ends snap to events, which are close together here.
  expect(Math.abs(measured - half)).toBeLessThan(half * 0.05);
  await page.keyboard.press("c");
  await page.getByRole("dialog", { name: "Clock frequency" }).getByRole("textbox").fill("25MHz");
  await page.keyboard.press("Enter");
  await expect(range).toContainText("ms");
  const milliseconds = Number.parseFloat((await range.innerText()).replaceAll("\u202f", ""));
  expect(milliseconds).toBeCloseTo(measured / 25_000, 1);
});

test("dragging in the sequential view measures events", async ({ open }) => {
  const viewer = await open(SYSTEM);
  await viewer.page.getByRole("button", { name: "Sequential", exact: true }).click();
  await viewer.rested();
  await viewer.timeline.dragRange(0.25, 0.75);
  const text = await viewer.page.getByTestId("range").innerText();
  expect(text).toMatch(/events$/);
  expect(Math.abs(Number(text.replace(/\D/g, "")) - 1500)).toBeLessThan(60);
});

test("Escape clears the range", async ({ open }) => {
  const viewer = await open(SYSTEM);
  await viewer.timeline.dragRange(0.3, 0.6);
  await expect(viewer.page.getByTestId("range")).toBeVisible();
  await viewer.press("Escape");
  await expect(viewer.page.getByTestId("range")).toBeHidden();
});

test("two markers show their difference and link back", async ({ open }) => {
  const viewer = await open(SYSTEM);
  const { page } = viewer;
  const status = page.getByRole("contentinfo", { name: "Status" });
  await viewer.select(1000);
  await viewer.press("m");
  await viewer.select(1200);
  await viewer.press("Shift+m");
  const [a, b] = await Promise.all(
    [1000, 1200].map((event) => viewer.query({ query: "locate", axis: "index", at: event })),
  );
  const between = (b?.time ?? 0) - (a?.time ?? 0);
  expect(between).toBeGreaterThan(0);
  await expect
    .poll(async () => (await status.innerText()).replaceAll("\u202f", ""))
    .toMatch(new RegExp(`B − A\\s+${between} ticks\\s+\\(200 events\\)`));
  await page.getByRole("button", { name: "Go to marker A" }).click();
  await viewer.expectSelected(1000);
  await viewer.press("m");
  await expect(page.getByRole("button", { name: "Go to marker A" })).toBeHidden();
  await viewer.command("Remove both markers");
  await expect(page.getByRole("button", { name: "Go to marker B" })).toBeHidden();
});

test("bookmarks are stored beside the trace and survive a restart", async ({ open }) => {
  const viewer = await open(SYSTEM);
  const { page } = viewer;
  const keep = async (event: number, note: string) => {
    await viewer.select(event);
    await viewer.press("b");
    const dialog = page.getByRole("dialog", { name: `New bookmark at event ${event}` });
    await dialog.getByRole("textbox", { name: "Note" }).fill(note);
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog).toBeHidden();
  };
  await keep(1357, "inversion <b>here</b>");
  await keep(424, "earlier one");
  const sidecar = async () =>
    (JSON.parse(await readFile(`${viewer.file}.rtoscope.json`, "utf8")) as { bookmarks: unknown })
      .bookmarks;
  expect(await sidecar()).toEqual([
    { event: 424, note: "earlier one" },
    { event: 1357, note: "inversion <b>here</b>" },
  ]);

  await viewer.restart();
  const panel = await viewer.panel("Bookmarks");
  await expect(panel.getByRole("listitem")).toHaveText([
    /424.*earlier one/,
    /1\u202f357.*inversion <b>here<\/b>/,
  ]);
  await panel.getByRole("button", { name: "1\u202f357", exact: true }).click();
  await viewer.expectSelected(1357);

  await panel.getByRole("button", { name: "Edit the note at event 424" }).click();
  const note = panel.getByRole("textbox", { name: "Note at event 424" });
  await note.fill("the first");
  await note.press("Enter");
  await expect(panel.getByText("the first")).toBeVisible();
  await panel.getByRole("button", { name: "Delete the bookmark at event 1357" }).click();
  await expect(panel.getByRole("listitem")).toHaveCount(1);
  await expect.poll(sidecar).toEqual([{ event: 424, note: "the first" }]);
});

test("a mark without a selection says what is missing", async ({ page, open }) => {
  const viewer = await open(SYSTEM);
  for (const key of ["m", "b"]) {
    await viewer.press(key);
    const notice = page.locator(".notice");
    await expect(notice).toHaveText("Select an event first.");
    await notice.getByRole("button", { name: "Dismiss" }).click();
    await page.evaluate(() => {
      const { activeElement } = document;
      if (activeElement instanceof HTMLElement) activeElement.blur();
    });
  }
});
