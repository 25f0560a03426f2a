/** Hostile traces: everything is shown as text, and the viewer stays usable. */

import type { Page } from "@playwright/test";
import { Kind, State, TraceBuilder } from "./support/txtb";
import { expect, test } from "./support/viewer";

const NAMES = {
  image: "<img src=x onerror=alert(1)>",
  script: "<script>alert(2)</script>",
  style: "</style><style>*{display:none}",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: looks like a template literal on purpose
  quotes: "\"'`&quot;&#x27;${alert(3)}\\",
  override: "\u202egnp.elif\u2066",
  template: "{{constructor.constructor('alert(4)')()}}",
  address: "javascript:alert(5)",
  blank: "   ",
  empty: "",
};

const MUTEX = 5;
const QUEUE = 3;

/** Threads with these names, and objects with the same names; each thread runs and sends. */
function named(names: readonly string[], nameSize = 64): Uint8Array {
  const trace = new TraceBuilder(nameSize);
  const threads = names.map((name, at) => trace.thread(name, at + 1));
  const queues = names.map((name) => trace.object(QUEUE, name, [16, 1]));
  for (const name of names) trace.object(MUTEX, name);
  for (let round = 0; round < 5; round += 1) {
    threads.forEach((thread, at) => {
      const next = threads[(at + 1) % threads.length] ?? thread;
      trace.log(thread, Kind.queueSend, [queues[at] ?? 0, 0x1234, 0, 1]).switch(thread, next);
    });
  }
  return trace.build();
}

const MARKUP = { name: "<b onclick=alert(6)>.trx", bytes: named(Object.values(NAMES)) };

/** Checks for elements that only markup in a name could have created. */
async function expectOnlyText(page: Page): Promise<void> {
  const foreign = await page.evaluate(() => ({
    images: document.querySelectorAll("img, iframe, object, embed, [onerror]").length,
    scripts: [...document.querySelectorAll("script")].filter((script) => !script.src).length,
    styles: document.querySelectorAll("style").length,
    links: document.querySelectorAll("a[href^=javascript]").length,
  }));
  expect(foreign).toEqual({ images: 0, scripts: 0, styles: 0, links: 0 });
}

test("names with markup are shown as text everywhere, and found", async ({ open }) => {
  const viewer = await open(MARKUP);
  await test.step("markup in names is shown as text everywhere", async () => {
    const { page, timeline } = viewer;
    const { contexts } = await viewer.overview();
    const image = contexts.findIndex((context) => context.name === NAMES.image);
    const script = contexts.findIndex((context) => context.name === NAMES.script);
    expect(image).toBeGreaterThan(0);
    expect(script).toBeGreaterThan(0);
    await expect(page.getByRole("tab", { name: MARKUP.name })).toBeVisible();
    await expect(timeline.row(NAMES.image)).toHaveText(
      new RegExp(NAMES.image.replace(/[()]/g, "\\$&")),
    );
    await expect(timeline.row(NAMES.script)).toBeVisible();
    // Its events, their details and arguments.
    const place = await viewer.query({
      query: "step",
      from: 0,
      direction: "next",
      by: { mode: "context", context: image },
    });
    await viewer.select(place?.event ?? 0);
    await expect(page.getByRole("tabpanel", { name: "Details" })).toContainText(NAMES.image);
    await expect(page.getByRole("grid", { name: "Events" })).toContainText(NAMES.image);
    await viewer.press("w", "w");
    await viewer.timeline.rested();
    const details = await viewer.query({ query: "event", event: place?.event ?? 0 });
    const at = await timeline.point(NAMES.image, details?.time ?? 0);
    // The tooltip of an event whose details are open has its name only.
    await viewer.press("Shift+i");
    await page.mouse.move(at.x - 3, at.y);
    await page.mouse.move(at.x, at.y);
    await expect(page.getByRole("tooltip")).toContainText(NAMES.image);
    await page.mouse.move(10, 10);
    await viewer.press("Enter");
    await expect(page.getByRole("article")).toContainText(NAMES.image);
    for (const key of ["Shift+o", "r", "l", "Shift+i", "f"]) {
      await viewer.press(key);
      await timeline.idle();
      await viewer.blur();
      await expectOnlyText(page);
    }
    await viewer.press("Shift+o");
    await page
      .getByRole("tabpanel", { name: "Objects" })
      .getByRole("button", { name: NAMES.script })
      .first()
      .click();
    await expect(page.getByRole("heading", { name: NAMES.script })).toBeVisible();
    await viewer.press("Control+k");
    await expect(page.getByRole("combobox", { name: "Find a command" })).toBeFocused();
    await page.keyboard.type("<script>");
    await expect(
      page.getByRole("listbox", { name: "Matches" }).getByRole("option").first(),
    ).toContainText(NAMES.script);
    await page.keyboard.press("Escape");
    await timeline.row(NAMES.image).click({ button: "right" });
    await expect(page.getByRole("menu")).toContainText(NAMES.image);
    await page.keyboard.press("Escape");
    await expectOnlyText(page);
    // An exported image is well-formed.
    await viewer.blur();
    const svg = await viewer.saved(() => viewer.press("Shift+v"));
    const parsed = await page.evaluate((text) => {
      const document = new DOMParser().parseFromString(text, "image/svg+xml");
      return {
        error: document.querySelector("parsererror")?.textContent ?? "",
        scripts: document.querySelectorAll("script, img").length,
      };
    }, svg.text);
    expect(parsed).toEqual({ error: "", scripts: 0 });
  });
  await test.step("a search quotes names that are not words", async () => {
    await viewer.reset();
    const { page } = viewer;
    await viewer.press("f");
    const panel = page.getByRole("tabpanel", { name: "Search" });
    await panel.getByRole("button", { name: "By value" }).click();
    const form = panel.getByRole("form", { name: "Search by value" });
    const { contexts } = await viewer.overview();
    // Unprintable characters are shown as escapes, as on the command line.
    const beginnings = ["<img", "\"'`&quot;", "\\xe2\\x80\\xaegnp", "{{constr"];
    for (const [number, beginning] of beginnings.entries()) {
      const shown = contexts.find(({ name }) => name.startsWith(beginning));
      expect(shown?.events, beginning).toBeGreaterThan(0);
      await form.getByRole("combobox", { name: "Context" }).fill(shown?.name ?? "");
      await form.getByRole("textbox", { name: "Argument 4" }).fill(`0-0xfffffff${number}`);
      await form.getByRole("button", { name: "Search by value" }).click();
      await expect(panel.getByRole("combobox", { name: "Filter" })).toHaveValue(
        new RegExp(`f${number}$`),
      );
      await expect(panel.getByRole("status"), beginning).toContainText(`${shown?.events} hit`);
    }
  });
});

test("names of 64 kB, a megabyte in total", async ({ open }) => {
  // The maximum of the format.
  const size = 65_532;
  const names = Array.from({ length: 16 }, (_, at) =>
    `${at}<${"long ".repeat(13_100)}`.slice(0, size - 1),
  );
  const bytes = named(names, size);
  expect(bytes.length).toBeGreaterThan(1 << 20);
  const viewer = await open({ name: "long.trx", bytes });
  const { page, timeline } = viewer;
  const { contexts } = await viewer.overview();
  for (const { name } of contexts) expect(name.length).toBeLessThan(1000);
  await expect(timeline.rows.nth(4)).toBeVisible();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width, "nothing overflows the page").toBeLessThanOrEqual(1400);
  await viewer.select(3);
  await expect(page.getByRole("tabpanel", { name: "Details" })).toContainText("long long");
  const before = (await viewer.timeline.part()).length;
  await viewer.whileMoving(() => viewer.press("w"));
  expect((await viewer.timeline.part()).length).toBeLessThan(before);
});

test("ten thousand threads", async ({ open }) => {
  const trace = new TraceBuilder(16);
  const threads = Array.from({ length: 10_000 }, (_, at) => trace.thread(`t${at}`, at % 32));
  for (let at = 0; at + 1 < threads.length; at += 1) {
    trace.log(threads[at] ?? 0, Kind.resume, [
      threads[at + 1] ?? 0,
      State.sleep,
      0,
      threads[at + 1] ?? 0,
    ]);
    trace.log(
      threads[at] ?? 0,
      Kind.suspend,
      [threads[at] ?? 0, State.sleep, 0, threads[at + 1] ?? 0],
      10,
    );
  }
  const viewer = await open({ name: "many.trx", bytes: trace.build() });
  const { page, timeline } = viewer;
  expect((await viewer.overview()).contexts.length).toBeGreaterThanOrEqual(10_000);
  // Only visible lanes are rendered.
  expect(await timeline.rows.count()).toBeLessThan(100);
  const box = await timeline.box();
  await page.mouse.move(box.x - 60, box.y + 300);
  await page.mouse.wheel(0, 200_000);
  await expect.poll(async () => (await timeline.rowNames()).at(-1)).toMatch(/^t[5-9]\d{3}$/);
  const before = (await viewer.timeline.part()).length;
  await viewer.whileMoving(() => viewer.press("w", "w", "w", "w", "w"));
  expect((await viewer.timeline.part()).length).toBeLessThan(before);
  const filter = page.getByLabel("Filter lanes by name");
  await filter.fill("t9876");
  await expect(timeline.row("t9876")).toBeVisible();
  await filter.fill("");
  await page.getByLabel("Sort lanes").selectOption("Name");
  await expect.poll(async () => (await timeline.rowNames()).length).toBeGreaterThan(3);
  await viewer.press("Control+k");
  await expect(page.locator(".palette-input")).toBeFocused();
  await page.keyboard.type("t9875");
  await expect(page.locator("#palette-0")).toContainText("t9875");
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Event number")).not.toHaveValue("");
});

test("unknown event kinds, and hardly any events", async ({ open }) => {
  await test.step("unknown event kinds", async () => {
    const trace = new TraceBuilder();
    const thread = trace.thread("worker");
    const kinds = [0, 199, 3000, 0x00ffffff, 0x7fffffff, 0xfffffffe, 0xffffffff];
    for (const kind of kinds) trace.log(thread, kind, [kind, 0xffffffff, 0, 0x80000000]);
    const viewer = await open({ name: "unknown.trx", bytes: trace.build() });
    const { page } = viewer;
    const { events } = await viewer.overview();
    expect(events).toBe(kinds.length);
    for (let event = 0; event < events; event += 1) {
      await viewer.select(event);
      const known = await viewer.query({ query: "event", event });
      const panel = page.getByRole("tabpanel", { name: "Details" });
      await expect(
        panel.getByRole("heading", { name: known?.name ?? "", exact: true }),
      ).toBeVisible();
      await expect(panel.getByRole("table", { name: "Arguments" })).toContainText("0xffffffff");
    }
    const panel = await viewer.panel("Legend");
    await expect(panel.locator(".kinds").getByRole("listitem")).toHaveCount(
      (await viewer.overview()).kinds.length,
    );
  });
  await test.step("hardly any events", async () => {
    const trace = new TraceBuilder();
    const thread = trace.thread("alone");
    trace.log(thread, Kind.resume, [thread, State.sleep, 0, thread]);
    const viewer = await open({ name: "one.trx", bytes: trace.build() });
    await viewer.press("End");
    await viewer.expectSelected(0);
    await viewer.press("w", "w", "d", "t", "s", "0", "PageDown");
    expect((await viewer.timeline.part()).length).toBeGreaterThan(0);
    await viewer.panel("Reports");
    await viewer.panel("Graphs");
    await viewer.timeline.settled();
    await expect(viewer.timeline.row("alone")).toBeVisible();
  });
});
