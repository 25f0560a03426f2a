/**
 * Going through events.
 *
 * TraceX: navigation modes Event, Context, Object, Switches, ID; first, page left, previous,
 * index box, next, page right, last; "Left / Right", "PageUp / PageDown, Home / End".
 */

import type { EventPosition, StepBy } from "../src/session/wire";
import { SYSTEM } from "./support/traces";
import { expect, test, type Viewer } from "./support/viewer";

/** Selects the criterion of next and previous. */
async function stepBy(viewer: Viewer, name: string): Promise<void> {
  await viewer.page.getByRole("combobox", { name: "Step by" }).selectOption(name);
}

/** Expected events of stepping. */
async function steps(viewer: Viewer, start: number, by: StepBy, count: number): Promise<number[]> {
  const events: number[] = [];
  let from = start;
  for (let number = 0; number < count; number += 1) {
    const place: EventPosition | null = await viewer.query({
      query: "step",
      from,
      direction: "next",
      by,
    });
    if (place === null) break;
    from = place.event;
    events.push(from);
  }
  return events;
}

async function expectSteps(
  viewer: Viewer,
  start: number,
  by: StepBy,
  name: string,
): Promise<number[]> {
  const expected = await steps(viewer, start, by, 4);
  expect(expected).toHaveLength(4);
  await viewer.select(start);
  await stepBy(viewer, name);
  for (const event of expected) {
    await viewer.page.getByRole("button", { name: "Next match of the step mode" }).click();
    await viewer.expectSelected(event);
  }
  for (const event of expected.slice(0, -1).toReversed()) {
    await viewer.page.getByRole("button", { name: "Previous match of the step mode" }).click();
    await viewer.expectSelected(event);
  }
  return expected;
}

test("steps event by event, and goes to an event by number", async ({ open }) => {
  const viewer = await open(SYSTEM);
  await test.step("steps event by event, first and last, with buttons and keys", async () => {
    const { page } = viewer;
    await page.getByRole("button", { name: "First event" }).click();
    await viewer.expectSelected(0);
    await viewer.press("ArrowRight", "ArrowRight");
    await viewer.expectSelected(2);
    await viewer.press("ArrowLeft");
    await viewer.expectSelected(1);
    await page.getByRole("button", { name: "Last event" }).click();
    await viewer.expectSelected(2999);
    await viewer.press("ArrowRight");
    await expect(page.locator(".notices")).toContainText("No further match.");
    await viewer.press("Home");
    await viewer.expectSelected(0);
    await viewer.press("End");
    await viewer.expectSelected(2999);
  });
  await test.step("the index box goes to an event or reports that it does not exist", async () => {
    await viewer.select(123);
    await expect(viewer.page.getByRole("contentinfo", { name: "Status" })).toContainText(
      "Event 123",
    );
    const box = viewer.page.getByRole("textbox", { name: "Event number" });
    await box.fill("99999999");
    await box.press("Enter");
    await expect(viewer.page.locator(".notices")).toContainText("There is no event 99999999.");
    await viewer.expectSelected(123);
  });
});

test("steps by context, object, switch and kind", async ({ open }) => {
  const viewer = await open(SYSTEM);
  await test.step("steps by the events of a context", async () => {
    const { contexts } = await viewer.overview();
    const context = contexts.findIndex(({ name }) => name === "logger");
    const by: StepBy = { mode: "context", context };
    const [first = 0] = await expectSteps(viewer, 500, by, `context ${context}`);
    const details = await viewer.query({ query: "event", event: first });
    expect(details?.context).toBe(context);
  });
  await test.step("steps by the events of an object", async () => {
    const { objects } = await viewer.overview();
    const object = objects.findIndex(({ name }) => name === "spi (plain)");
    const [first = 0] = await expectSteps(
      viewer,
      500,
      { mode: "object", object },
      `object ${object}`,
    );
    const details = await viewer.query({ query: "event", event: first });
    expect(details?.arguments.map((argument) => argument.object)).toContain(object);
  });
  await test.step("steps by context switches", async () => {
    const events = await expectSteps(viewer, 500, { mode: "switch" }, "switch");
    const pairs = await Promise.all(
      events.map(async (event) => {
        const { rows } = await viewer.query({
          query: "events",
          offset: event - 1,
          limit: 2,
          search: null,
        });
        return rows.map(({ context }) => context);
      }),
    );
    const { contexts } = await viewer.overview();
    // An interrupt may follow another; otherwise a different thread starts.
    for (const [before = 0, after = 0] of pairs) {
      if (contexts[after]?.kind === "thread") expect(before).not.toBe(after);
    }
    expect(pairs.some(([before, after]) => before !== after)).toBe(true);
  });
  await test.step("steps by events of the same kind (ID)", async () => {
    const { kinds } = await viewer.overview();
    const kind = kinds.find(({ events }) => events > 10 && events < 100)?.id ?? 0;
    const [first = 0] = await expectSteps(viewer, 10, { mode: "kind", kind }, `kind ${kind}`);
    expect((await viewer.query({ query: "event", event: first }))?.kind).toBe(kind);
  });
});

test("go to an event, a number of ticks or a time", async ({ open }) => {
  const viewer = await open(SYSTEM, { options: ["--clock", "25/us"] });
  const { page } = viewer;
  await expect(page.getByRole("contentinfo", { name: "Status" })).toContainText("25 MHz");
  const goTo = async (text: string) => {
    await page.keyboard.press("g");
    const dialog = page.getByRole("dialog", { name: "Go to" });
    await dialog.getByRole("textbox").fill(text);
    await dialog.getByRole("button", { name: "Go", exact: true }).click();
    return dialog;
  };
  await goTo("777");
  await viewer.expectSelected(777);
  const at = async (time: number) =>
    (await viewer.query({ query: "locate", axis: "time", at: time }))?.event;
  await goTo("2000000 ticks");
  await viewer.expectSelected(await at(2_000_000));
  await goTo("200ms");
  await viewer.expectSelected(await at(5_000_000));
  const dialog = await goTo("yesterday");
  await expect(dialog.getByRole("alert")).toContainText("Enter an event number");
});
