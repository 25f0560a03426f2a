/**
 * Details of events and objects.
 *
 * TraceX: "View > Current Event", "hover event: tooltip" with id, context, relative time, raw
 * stamp, event name, labelled info fields, next context, delta previous/next; "double click event:
 * pinned, movable details window, several at once"; "Enter / Esc", "Shift + arrows".
 */

import { SYSTEM } from "./support/traces";
import { expect, test } from "./support/viewer";

test("the panel shows details, and links to causes, effects and objects", async ({ open }) => {
  const viewer = await open(SYSTEM);
  await test.step("the panel shows all details of the selected event", async () => {
    const panel = viewer.page.getByRole("tabpanel", { name: "Details" });
    await expect(panel).toContainText("Select an event");
    await viewer.select(1357);
    const details = await viewer.query({ query: "event", event: 1357 });
    const { contexts } = await viewer.overview();
    if (!details) throw new Error("event 1357 is missing");
    await expect(panel.getByRole("heading", { name: details.name })).toBeVisible();
    const fact = (term: string) =>
      panel
        .getByRole("term")
        .filter({ hasText: new RegExp(`^${term}$`) })
        .locator("+ dd");
    await expect(fact("Context")).toContainText(contexts[details.context]?.name ?? "");
    await expect(fact("Priority")).toHaveText(new RegExp(`^${details.priority}`));
    await expect(fact("Next running")).toHaveText(details.next_running);
    await expect(fact("Timestamp")).toHaveText(details.timestamp);
    await expect(fact("Component")).toHaveText(details.component);
    const ticks = async (term: string) => Number((await fact(term).innerText()).replace(/\D/g, ""));
    expect(await ticks("Time")).toBe(details.time);
    expect(await ticks("Since previous event")).toBe(details.since_previous);
    expect(await ticks("Until next event")).toBe(details.until_next);
    expect(details.arguments.length).toBeGreaterThan(0);
    const rows = panel.getByRole("table", { name: "Arguments" }).getByRole("row");
    for (const [number, { name, text, raw }] of details.arguments.entries()) {
      await expect(rows.nth(number)).toContainText(name);
      await expect(rows.nth(number)).toContainText(text);
      await expect(rows.nth(number)).toContainText(raw);
    }
  });
  await test.step("links lead to cause and effect, and back", async () => {
    const panel = viewer.page.getByRole("tabpanel", { name: "Details" });
    let start = 0;
    let effect = { event: 0, text: "" };
    for (let event = 100; event < 200 && effect.event === 0; event += 1) {
      const links = (await viewer.query({ query: "event", event }))?.links ?? [];
      const found = links.find(({ cause }) => !cause);
      if (found) [start, effect] = [event, found];
    }
    expect(effect.event, "an early event with an effect").toBeGreaterThan(start);
    await viewer.select(start);
    await panel.getByRole("button", { name: effect.text }).first().click();
    await viewer.expectSelected(effect.event);
    const back = (await viewer.query({ query: "event", event: effect.event }))?.links.find(
      ({ cause, event }) => cause && event === start,
    );
    expect(back).toBeDefined();
    const list = panel.locator("section", {
      has: viewer.page.getByRole("heading", { name: "Caused by" }),
    });
    await list
      .getByRole("listitem")
      .filter({ hasText: `event ${start},` })
      .getByRole("button")
      .click();
    await viewer.expectSelected(start);
  });
  await test.step("an argument links to the object's history", async () => {
    const { page } = viewer;
    const { objects } = await viewer.overview();
    const object = objects.findIndex(({ name }) => name === "spi (plain)");
    const { total, rows } = await viewer.query({ query: "history", object, offset: 0, limit: 100 });
    expect(total).toBeGreaterThan(10);
    await viewer.select(rows[4]?.event ?? 0);
    const details = page.getByRole("tabpanel", { name: "Details" });
    await details
      .getByRole("table", { name: "Arguments" })
      .getByRole("button", { name: "spi (plain)" })
      .click();
    const panel = page.getByRole("tabpanel", { name: "Objects" });
    const history = panel.getByRole("grid", { name: "History of spi (plain)" });
    await expect(history).toHaveAttribute("aria-rowcount", String(total + 1));
    await history.getByRole("row").nth(2).click();
    await viewer.expectSelected(rows[1]?.event);
    await panel.getByRole("button", { name: "Next", exact: true }).click();
    await viewer.expectSelected(rows[2]?.event);
    await panel.getByRole("button", { name: "Back to all objects" }).click();
    await panel.getByRole("searchbox", { name: "Find an object" }).fill("log queue");
    await panel.getByRole("button", { name: "log queue" }).click();
    await expect(panel.getByRole("heading", { name: "log queue" })).toBeVisible();
  });
});

test("pinned details stay open side by side, and a pointer shows others", async ({ open }) => {
  const viewer = await open(SYSTEM);
  await test.step("details of several events stay open side by side, can be moved and closed", async () => {
    const { page } = viewer;
    for (const event of [100, 200, 300]) {
      await viewer.select(event);
      await page
        .getByRole("button", { name: "Pin the details of the selected event" })
        .first()
        .click();
    }
    const card = (event: number) =>
      page.getByRole("article", { name: `Details of event ${event}` });
    for (const event of [100, 200, 300]) await expect(card(event)).toBeVisible();
    const [one, other] = await Promise.all([card(100).boundingBox(), card(200).boundingBox()]);
    if (!one || !other) throw new Error("a card is not shown");
    const isBeside =
      one.x + one.width <= other.x ||
      other.x + other.width <= one.x ||
      one.y + one.height <= other.y ||
      other.y + other.height <= one.y;
    expect(isBeside).toBe(true);
    // A line leads to an event that is visible.
    await expect(page.locator(".card-leader")).not.toHaveCount(0);

    const before = await card(200).boundingBox();
    await card(200).focus();
    await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.press("Shift+ArrowDown");
    const moved = await card(200).boundingBox();
    expect(moved?.x).toBeGreaterThan(before?.x ?? 0);
    expect(moved?.y).toBeGreaterThan(before?.y ?? 0);
    const head = card(200).locator(".card-head");
    const box = await head.boundingBox();
    if (!box) throw new Error("the card has no head");
    await page.mouse.move(box.x + 60, box.y + 8);
    await page.mouse.down();
    await page.mouse.move(box.x + 100, box.y + 48, { steps: 3 });
    await page.mouse.up();
    const dragged = await card(200).boundingBox();
    expect(dragged?.x).toBeCloseTo((moved?.x ?? 0) + 40, -1);

    await card(100).focus();
    await page.keyboard.press("Escape");
    await expect(card(100)).toBeHidden();
    // The focused card is above the others.
    await card(200).focus();
    await page.getByRole("button", { name: "Close the details of event 200" }).click();
    await expect(card(200)).toBeHidden();
    await card(300).getByRole("button", { name: "event 300", exact: true }).click();
    await viewer.expectSelected(300);
  });
  await test.step("hovering over an event shows its details", async () => {
    await viewer.reset();
    const { page, timeline } = viewer;
    await viewer.select(1357);
    for (let time = 0; time < 14; time += 1) await viewer.press("w");
    await viewer.timeline.rested();
    // The panel shows the details of a selected event already.
    await viewer.press("Escape");
    await viewer.expectSelected(undefined);
    const details = await viewer.query({ query: "event", event: 1357 });
    const { contexts } = await viewer.overview();
    const name = contexts[details?.context ?? 0]?.name ?? "";
    const at = await timeline.point(name, details?.time ?? 0);
    await page.mouse.move(at.x - 30, at.y);
    await page.mouse.move(at.x, at.y);
    const tip = page.getByRole("tooltip");
    await expect(tip).toBeVisible();
    await expect(tip).toContainText("1\u202f357");
    await expect(tip).toContainText(details?.name ?? "");
    await expect(tip).toContainText(name);
    for (const { name: argument, text } of details?.arguments ?? []) {
      await expect(tip).toContainText(argument);
      await expect(tip).toContainText(text);
    }
    await page.mouse.dblclick(at.x, at.y);
    await expect(page.getByRole("article", { name: "Details of event 1357" })).toBeVisible();
  });
});
