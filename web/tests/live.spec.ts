import { expect, type Locator, type Page } from "@playwright/test";
import { test as base } from "./support/browser";
import { Complaints } from "./support/complaints";
import { LiveServer } from "./support/live";
import { partOf, spotOf } from "./support/spot";
import { Timeline } from "./support/timeline";

/** Time to leave the page after a test, in milliseconds. */
const LEAVES_WITHIN = 30_000;

interface Fixtures {
  complaints: Complaints;
  /** Starts a recording, and opens its page. */
  live: (options?: readonly string[]) => Promise<Live>;
}

class Live {
  readonly timeline: Timeline;
  readonly bar: Locator;

  constructor(
    readonly page: Page,
    readonly server: LiveServer,
  ) {
    this.timeline = new Timeline(page);
    this.bar = page.getByRole("region", { name: "Live recording" });
  }

  /** Measurements of the page by name. */
  measured(name: string): Promise<number[]> {
    return this.page.evaluate(
      (wanted) => performance.getEntriesByName(wanted).map(({ duration }) => duration),
      name,
    );
  }

  /** Waits for pictures of new events. */
  async moving(): Promise<void> {
    const before = (await this.measured("rtoscope:live")).length;
    await expect
      .poll(async () => (await this.measured("rtoscope:live")).length, {
        message: "pictures",
      })
      .toBeGreaterThan(before + 3);
  }

  /** Connects a target that sends records, and waits for pictures of them. */
  async run(): Promise<void> {
    await this.server.plug();
    this.server.run(20, 50);
    await this.moving();
  }

  /** Total number of events shown in the bar; 0 while it shows none. */
  async total(): Promise<number> {
    const text = await this.bar.innerText();
    const found = /([\d\u202f]+) events, [^,]* total/.exec(text.replaceAll("\n", " "));
    return Number((found?.[1] ?? "0").replaceAll("\u202f", ""));
  }

  /** Makes the target send records as fast as they are taken. */
  async record(records: number): Promise<void> {
    for (let sent = 500; sent <= records; sent += 500) {
      this.server.send(500);
      await expect
        .poll(() => this.total(), { message: "total events" })
        .toBeGreaterThanOrEqual(sent);
    }
  }

  async pause(): Promise<void> {
    await this.bar.getByRole("button", { name: "Pause" }).click();
    await this.paused();
  }

  async paused(): Promise<void> {
    await expect(this.bar.getByText(/Paused – .* behind/)).toBeVisible();
    await expect
      .poll(() => Number.isFinite(partOf(this.page).from), { message: "address" })
      .toBe(true);
  }
}

const test = base.extend<Fixtures>({
  complaints: async ({ page }, use) => {
    const complaints = new Complaints(page);
    await use(complaints);
    expect(complaints.unexpected, "page errors").toEqual([]);
  },
  live: async ({ page, complaints }, use, info) => {
    // A page that is slower than the program may be too late for a snapshot, and takes the next
    // one.
    complaints.expect(/status of 410/);
    const servers: LiveServer[] = [];
    await use(async (options) => {
      const server = await LiveServer.start(options);
      servers.push(server);
      await page.goto(server.url);
      return new Live(page, server);
    });
    if (info.status !== info.expectedStatus) {
      const body = servers.map(({ process }) => process.description()).join("\n");
      await info.attach("programs", { body, contentType: "text/plain" });
    }
    try {
      // The page must not report that its server is gone.
      if (!page.isClosed()) await page.goto("about:blank", { timeout: LEAVES_WITHIN });
    } finally {
      await Promise.all(servers.map((server) => server.stop()));
    }
  },
});

test("waits for a target, and follows it at every zoom", async ({ live }) => {
  const view = await live();
  const { server, bar, page, timeline } = view;
  await expect(bar).toContainText("Waiting");
  await expect(page.getByRole("tab", { name: /live/ })).toBeVisible();
  await server.plug();
  await expect(bar).toContainText("Connected");
  server.run(20, 50);
  await expect(timeline.row("server")).toBeVisible();
  await expect(bar).toContainText("Following");
  await expect(bar.getByTestId("live-rate")).toHaveText(/^[1-9][\d\u202f]* events/);
  await view.moving();
  const cut = () => page.evaluate(() => document.querySelector("canvas")?.toDataURL() ?? "");
  const pictures = new Set<string>();
  await expect
    .poll(async () => pictures.add(await cut()).size, {
      message: "pictures",
      intervals: [120],
    })
    .toBeGreaterThan(2);
  // Zooming does not stop following.
  await page.keyboard.press("w");
  await page.keyboard.press("w");
  await view.moving();
  await expect(bar).toContainText("Following");
  // The event table stays at its end.
  const lastRow = async () => {
    const rows = await page.getByRole("grid", { name: "Events" }).getByRole("row").allInnerTexts();
    return Math.max(
      ...rows.map((text) =>
        Number(/^([\d\u202f]+)/.exec(text)?.[1]?.replaceAll("\u202f", "") ?? -1),
      ),
    );
  };
  await expect.poll(lastRow, { message: "last row" }).toBeGreaterThan(200);
  const before = await lastRow();
  await expect.poll(lastRow, { message: "later last row" }).toBeGreaterThan(before + 100);
});

test("pauses while recording continues, and follows again", async ({ live }) => {
  const view = await live();
  const { page, bar } = view;
  await view.run();
  await view.pause();
  const part = partOf(page);
  const total = await view.total();
  await expect.poll(() => view.total(), { message: "total events" }).toBeGreaterThan(total + 200);
  expect(partOf(page)).toEqual(part);
  const behind = /Paused – ([\d\u202f]+) events behind/;
  await expect
    .poll(async () => Number(behind.exec(await bar.innerText())?.[1]?.replaceAll("\u202f", "")))
    .toBeGreaterThan(100);
  await page.keyboard.press("k");
  await expect(bar).toContainText("Following");
  await view.moving();
  // Panning and selecting pause, too.
  await page.keyboard.press("a");
  await view.paused();
  await page.keyboard.press("k");
  await expect(bar).toContainText("Following");
  await page.keyboard.press("ArrowLeft");
  await view.paused();
  await expect.poll(() => spotOf(page).event, { message: "selected event" }).toBeDefined();
});

test("a paused view has tools for all events, those on disk too", async ({ live }, info) => {
  const folder = info.outputPath("recording");
  const view = await live(["--window", "1000", "--save", folder]);
  const { server, bar, page } = view;
  await server.plug();
  await view.record(6000);
  await expect(bar).toContainText("saved in");
  const box = page.getByRole("textbox", { name: "Event number" });
  const shown = async () => {
    const title = (await box.getAttribute("title")) ?? "";
    const [, first = "", last = ""] = /event, ([\d\u202f]+) to ([\d\u202f]+);/.exec(title) ?? [];
    const [low = 0, high = 0] = [first, last].map((text) => Number(text.replaceAll("\u202f", "")));
    return { low, high };
  };
  const firstShown = async () => (await shown()).low;
  // The events on the page are older than the bar's total for a moment.
  await expect.poll(firstShown, { message: "first event" }).toBeGreaterThan(2000);
  await test.step("numbers and times count from the start of the recording", async () => {
    server.run(5, 100);
    await view.moving();
    await view.pause();
    const event = (await shown()).high - 20;
    await box.fill(String(event));
    await box.press("Enter");
    await expect.poll(() => spotOf(page).event, { message: "selected event" }).toBe(event);
    const details = page.getByRole("tabpanel", { name: "Details" });
    await expect(details).toContainText(
      `event ${event.toLocaleString("en").replaceAll(",", "\u202f")}`,
    );
    const table = page.getByRole("grid", { name: "Events" });
    const row = table.locator("[aria-selected=true]");
    await expect(row).toContainText(event.toLocaleString("en").replaceAll(",", "\u202f"));
    await box.blur();
    await page.keyboard.press("k");
    await expect(view.bar).toContainText("Following");
    await view.pause();
    await page.keyboard.press("End");
    await expect
      .poll(() => spotOf(page).event ?? 0, { message: "last event" })
      .toBeGreaterThan(event);
    server.rest();
  });
  await test.step("older events are loaded from disk, and newer ones again", async () => {
    const start = await firstShown();
    await bar.getByRole("button", { name: /older events/ }).click();
    await expect.poll(firstShown, { message: "first event" }).toBeLessThan(start);
    await bar.getByRole("button", { name: /newer events/ }).click();
    await expect.poll(firstShown, { message: "first event" }).toBeGreaterThanOrEqual(start);
    // An event that is no longer in memory is found.
    await box.fill("1500");
    await box.press("Enter");
    await expect.poll(() => spotOf(page).event, { message: "selected event" }).toBe(1500);
  });
});

test("a page opened after the end of the stream shows the same part everywhere", async ({
  live,
}) => {
  const view = await live();
  const { server, page, bar, timeline } = view;
  await server.plug();
  await view.record(500);
  await server.unplug();
  await expect(bar).toContainText(/Waiting|Lost/);
  // A new page shows the same however the records arrived.
  await page.goto("about:blank");
  await page.goto(server.url);
  await expect(timeline.row("server")).toBeVisible();
  // The table is at its end while the view follows; a zoom pauses.
  const table = page.getByRole("grid", { name: "Events" });
  await expect(table.getByRole("row", { name: /^552 / })).toBeInViewport();
  await page.keyboard.press("0");
  await view.paused();
  await page.mouse.move(2, 2);
  await page.evaluate(() => document.fonts.ready);
  await timeline.settled();
  await expect.soft(page).toHaveScreenshot("live.png", { mask: [bar], maskColor: "#f5f7f9" });
  await page.keyboard.press("q");
  const sequence = page.getByRole("tabpanel", { name: "Sequence" });
  await expect(sequence.getByRole("group", { name: "Sequence diagram" })).toBeVisible();
  await expect(sequence).not.toContainText("No activity");
  // The report of the visible interval counts its events.
  await page.keyboard.press("r");
  const reports = page.getByRole("tabpanel", { name: "Reports" });
  await reports.getByRole("button", { name: "Visible" }).click();
  const seen = async () =>
    Number(
      /^([\d\u202f]+) event/
        .exec(await reports.locator(".report-scope").first().innerText())?.[1]
        ?.replaceAll("\u202f", ""),
    );
  await expect.poll(seen, { message: "events of the visible interval" }).toBeGreaterThan(100);
});

test("a reconnecting target is reported", async ({ live }) => {
  const view = await live();
  const { server, bar, page } = view;
  await view.run();
  await server.unplug();
  await expect(bar).toContainText(/Waiting|Lost/);
  const total = await view.total();
  await server.plug();
  await expect(bar).toContainText("Connected");
  server.stream.lose(100);
  server.run(20, 50);
  await expect.poll(() => view.total(), { message: "total events" }).toBeGreaterThan(total + 100);
  await expect(bar).toContainText(/missing|gap/);
  await view.moving();
  // Screen readers announce state changes, but not every number.
  await expect(page.getByRole("status").filter({ hasText: "Connected" })).toHaveText(
    /following\.$/,
  );
});

test("an unreachable server is reported, and the view stays", async ({ live, complaints }) => {
  complaints.expect(
    /ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|ERR_INCOMPLETE/,
  );
  const view = await live();
  const { server, timeline, page } = view;
  await view.run();
  await view.pause();
  await server.stop();
  await expect(page.getByRole("alert", { name: "Connection" })).toContainText("is not responding");
  await expect(timeline.row("server")).toBeVisible();
  await expect(page.getByRole("tab", { name: /live/ })).toBeVisible();
});

test("commands are sent to the target", async ({ live, complaints }) => {
  complaints.expect(/status of 400/);
  const { server, page, bar } = await live();
  await server.plug();
  server.run(20, 50);
  await bar.getByRole("button", { name: "Target" }).click();
  const menu = page.getByRole("dialog", { name: "Target" });
  await expect(menu.getByRole("button", { name: "Start recording" })).toBeFocused();
  const filter = menu.getByRole("textbox", { name: "Filter" });
  await filter.fill("SM.TRX=off");
  await filter.press("Enter");
  await expect(menu.getByRole("status")).toContainText("did you mean SM.TRN?");
  expect(server.received.length).toBe(0);
  await filter.fill("SM=off, ao:3=on");
  await filter.press("Enter");
  await expect(menu.getByRole("status")).toHaveText("Sent to the target.");
  await expect.poll(() => server.received.length, { message: "bytes" }).toBeGreaterThan(8);
  await menu.getByRole("button", { name: "Stop recording" }).click();
  await expect(menu.getByRole("status")).toContainText("do not take `stop`: rkh");
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  await page.keyboard.press("Shift+K");
  await expect(menu.getByRole("button", { name: "Start recording" })).toBeFocused();
});
