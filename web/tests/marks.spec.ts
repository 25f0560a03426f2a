/**
 * Measuring and marking.
 *
 * TraceX: "Delta" (ticks and µs of the dragged range), "drag" in both views.
 */

import type { Page, Route } from "@playwright/test";
import type { Bookmark } from "../src/session/wire";
import { partOf, spotOf } from "./support/spot";
import { SYSTEM } from "./support/traces";
import { expect, test } from "./support/viewer";

test("dragging measures ticks, time and events until Escape", async ({ open }) => {
  const viewer = await open(SYSTEM);
  await test.step("Escape clears the range", async () => {
    await viewer.timeline.dragRange(0.3, 0.6);
    await expect(viewer.page.getByTestId("range")).toBeVisible();
    await viewer.press("Escape");
    await expect(viewer.page.getByTestId("range")).toBeHidden();
  });
  await test.step("dragging in the sequential view measures events", async () => {
    await viewer.page.getByRole("button", { name: "Sequential", exact: true }).click();
    await viewer.timeline.rested();
    await viewer.timeline.dragRange(0.25, 0.75);
    const text = await viewer.page.getByTestId("range").innerText();
    expect(text).toMatch(/events$/);
    expect(Math.abs(Number(text.replace(/\D/g, "")) - 1500)).toBeLessThan(60);
  });
  await test.step("dragging measures a range in ticks, and in time if the clock frequency is known", async () => {
    await viewer.reset();
    const { page, timeline } = viewer;
    await timeline.dragRange(0.25, 0.75);
    const range = page.getByTestId("range");
    const measured = Number((await range.innerText()).replace(/\D/g, ""));
    const half = (await viewer.timeline.part()).length / 2;
    // The ends snap to events, which are close together here.
    expect(Math.abs(measured - half)).toBeLessThan(half * 0.05);
    await page.keyboard.press("c");
    await page.getByRole("dialog", { name: "Clock frequency" }).getByRole("textbox").fill("25MHz");
    await page.keyboard.press("Enter");
    await expect(range).toContainText("ms");
    const milliseconds = Number.parseFloat((await range.innerText()).replaceAll("\u202f", ""));
    expect(milliseconds).toBeCloseTo(measured / 25_000, 1);
  });
});

test("bookmarks are stored beside the trace and survive a restart", async ({ open }) => {
  const viewer = await open(SYSTEM);
  const { page } = viewer;
  const keep = async (event: number, digits: string, note: string) => {
    await viewer.select(event);
    await viewer.press("b");
    const dialog = page.getByRole("dialog", { name: `New bookmark at event ${digits}` });
    await dialog.getByRole("textbox", { name: "Note" }).fill(note);
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog).toBeHidden();
  };
  await keep(1357, "1\u202f357", "inversion <b>here</b>");
  await keep(424, "424", "earlier one");
  const sidecar = async () => (await viewer.notes()).bookmarks;
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
  await expect(panel.getByRole("listitem").getByText("the first")).toBeVisible();
  await panel.getByRole("button", { name: "Delete the bookmark at event 1\u202f357" }).click();
  await expect(panel.getByRole("listitem")).toHaveCount(1);
  await expect.poll(sidecar).toEqual([{ event: 424, note: "the first" }]);
});

test("notes at times, ranges and events are shown, measured and kept over a restart", async ({
  open,
}) => {
  const viewer = await open(SYSTEM);
  await test.step("notes at times and ranges are shown, measured and kept over a restart", async () => {
    const { page, timeline } = viewer;
    const sidecar = async () => (await viewer.notes()).bookmarks as Bookmark[];
    const save = async (name: RegExp, note: string) => {
      const dialog = page.getByRole("dialog", { name });
      await dialog.getByRole("textbox", { name: "Note" }).fill(note);
      await dialog.getByRole("button", { name: "Save" }).click();
      await expect(dialog).toBeHidden();
    };
    const timeOf = async ({ event, ticks_after: after }: Omit<Bookmark, "note" | "end">) => {
      const place = await viewer.query({ query: "locate", axis: "index", at: event });
      return (place?.time ?? Number.NaN) + (after ?? 0);
    };

    // By the menu of the ruler, at a quarter of the whole trace.
    const box = await timeline.box();
    const part = await viewer.timeline.part();
    await page.mouse.click(box.x + box.width / 4, box.y + 5, { button: "right" });
    await page.getByRole("menuitem", { name: "Add note here…" }).click();
    await save(/^New bookmark at [\d\s]+ ticks$/, "a quarter");
    const [quarter] = await sidecar();
    const atQuarter = await timeOf(quarter as Bookmark);
    const perPixel = part.length / box.width;
    expect(Math.abs(atQuarter - part.length / 4)).toBeLessThan(2 * perPixel);

    // By key, of the dragged range.
    await timeline.dragRange(0.5, 0.75);
    await viewer.press("Shift+j");
    await save(/^New bookmark from [\d\s]+ ticks to [\d\s]+ ticks$/, "busy");
    const [, range] = await sidecar();
    const end = range?.end;
    if (!range || !end) throw new Error("the range is not saved");
    const [start, stop] = [await timeOf(range), await timeOf(end)];
    expect(Math.abs(start - part.length / 2)).toBeLessThan(10 * perPixel);
    expect(Math.abs(stop - (part.length * 3) / 4)).toBeLessThan(10 * perPixel);

    await viewer.restart();
    const panel = await viewer.panel("Bookmarks");
    const items = panel.getByRole("listitem");
    await expect(items).toHaveText([/ ticks.*a quarter/, / ticks – .* ticks.*busy/]);
    // The difference between two notes.
    await panel.getByRole("combobox", { name: "Difference to" }).selectOption({ index: 1 });
    await expect
      .poll(async () => (await items.nth(1).innerText()).replaceAll("\u202f", ""))
      .toContain(`Δ ${start - atQuarter} ticks`);
    await panel.getByRole("combobox", { name: "Sort by" }).selectOption("length");
    await expect(items).toHaveText([/busy/, /a quarter/]);

    // A click zooms to the range, which is selected again, on both axes.
    const first = items.nth(0).getByTitle(/^Go to the bookmark/);
    await first.click();
    const margin = Math.max((stop - start) * 0.15, 1);
    await expect.poll(() => partOf(page).length).toBeCloseTo(stop - start + 2 * margin, -1);
    await expect(page.getByTestId("range")).toBeVisible();
    await page.getByRole("button", { name: "Sequential", exact: true }).click();
    await viewer.timeline.rested();
    await first.click();
    const events = end.event + 1 - range.event - (range.ticks_after === undefined ? 0 : 1);
    await expect
      .poll(async () => (await page.getByTestId("range").innerText()).replace(/\D/g, ""))
      .toBe(String(events));

    await items
      .nth(0)
      .getByRole("button", { name: /^Delete the bookmark from/ })
      .click();
    await expect(items).toHaveText([/a quarter/]);
    await expect.poll(async () => (await sidecar()).length).toBe(1);
  });
  await test.step("a note in the sequential view is at an event", async () => {
    await viewer.reset("trace=0&axis=index&from=1350&to=1370");
    const { page, timeline } = viewer;
    const box = await timeline.box();
    await page.mouse.move(box.x + (7.5 / 20) * box.width, box.y + 5);
    await viewer.press("j");
    await expect(
      page.getByRole("dialog", { name: "New bookmark at event 1\u202f357" }),
    ).toBeVisible();
  });
});

test("pages on one server keep each other's notes", async ({ open }) => {
  const viewer = await open(SYSTEM);
  const { page } = viewer;
  const other = await page.context().newPage();
  await other.goto(viewer.url);
  await viewer.select(424);
  await viewer.press("b");
  const notesOf = async (shown: Page) => {
    await shown
      .getByRole("tablist", { name: "Side panel" })
      .getByRole("tab", { name: "Bookmarks" })
      .click();
    return shown.getByRole("tabpanel", { name: "Bookmarks" }).locator("li .note");
  };
  const theirs = await notesOf(other);
  // While the dialog of this page is open, the other one adds a note at the same event.
  const put = { command: "put-bookmark", bookmark: { event: 424, note: "theirs" }, replaces: null };
  await other.evaluate(async (body) => {
    const [trace] = (await (await fetch("api/traces")).json()) as { id: number }[];
    const headers = { "content-type": "application/json" };
    await fetch(`api/traces/${trace?.id}/command`, { method: "POST", headers, body });
  }, JSON.stringify(put));
  await expect(theirs).toHaveText(["theirs"]);
  const dialog = page.getByRole("dialog", { name: "New bookmark at event 424" });
  await dialog.getByRole("textbox", { name: "Note" }).fill("ours");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(await notesOf(page)).toHaveText(["theirs\nours"]);
  await expect(theirs).toHaveText(["theirs\nours"]);
  await other.getByRole("button", { name: "Delete the bookmark at event 424" }).click();
  await expect(await notesOf(page)).toHaveCount(0);
  await other.close();
});

test("two markers show their difference, and need a selection", async ({ page, open }) => {
  const viewer = await open(SYSTEM);
  await test.step("a mark without a selection says what is missing", async () => {
    for (const key of ["m", "b"]) {
      await viewer.press(key);
      const notice = page.locator(".notice");
      await expect(notice).toHaveText("Select an event first.");
      // It may disappear by itself before a click of the mouse.
      const dismiss = notice.getByRole("button", { name: "Dismiss" });
      await dismiss.evaluateAll((buttons) => {
        for (const button of buttons as HTMLElement[]) button.click();
      });
      await expect(notice).toHaveCount(0);
    }
  });
  await test.step("two markers show their difference and link back", async () => {
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
  await test.step("over a slow link, a key is about the event of the last step", async () => {
    const { page } = viewer;
    // Another event than the selected one, so that the end of the selection can be seen.
    await viewer.select(1100);
    const held: Route[] = [];
    await page.route("**/query", async (route) => {
      if (route.request().postDataJSON().query === "step") held.push(route);
      else await route.continue();
    });
    await viewer.press("ArrowRight", "m");
    await expect.poll(() => held.length).toBe(1);
    await expect(page.getByRole("button", { name: "Go to marker A" })).toBeHidden();
    await held[0]?.continue();
    await page.unroute("**/query");
    await expect.poll(() => spotOf(page).a?.event).toBe(1101);
  });
});
