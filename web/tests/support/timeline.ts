/** The timeline on the page: positions of its elements, and pointer actions. */

import { expect, type Locator, type Page, type Request } from "@playwright/test";
import { Picture } from "./picture";
import { partOf, type VisibleInterval } from "./spot";

/** Height of the ruler above the lanes. */
export const RULER = 26;

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export class Timeline {
  /** The ruler and the lanes. */
  readonly host: Locator;
  readonly overview: Locator;
  /** The lane names. */
  readonly names: Locator;
  /** All rows of lanes and groups. */
  readonly rows: Locator;

  /** Queries that are not answered yet. */
  private readonly pending = new Set<Request>();

  constructor(private readonly page: Page) {
    page.on("request", (request) => {
      if (/\/api\/traces\/\d+\/query/.test(request.url())) this.pending.add(request);
    });
    for (const end of ["requestfinished", "requestfailed"] as const) {
      page.on(end as "requestfinished", (request) => this.pending.delete(request));
    }
    // Located by attributes: searching a page with ten thousand options by role is slow.
    // Of two compared recordings, the first.
    this.host = page.locator("[role=application][aria-label='Timeline lanes']").first();
    this.overview = page.locator("[role=scrollbar][aria-label='Overview of the whole trace']");
    this.names = page.locator("[role=tree][aria-label='Lanes']");
    this.rows = this.names.locator("[role=treeitem]");
  }

  /** Waits until all changes are drawn and no query is open that a change caused. */
  async idle(): Promise<void> {
    // An answer can cause another query, after the frame that shows it.
    for (let idle = 0; idle < 2; idle += 1) {
      const open = async () => this.pending.size + (await this.frames());
      if ((await open()) > 0) {
        idle = -1;
        await expect.poll(open, { message: "open queries", intervals: [20] }).toBe(0);
      }
    }
  }

  /**
   * Waits for two frames: a change is drawn in the next one. Returns the number of requests that
   * workers have not answered.
   */
  private frames(): Promise<number> {
    return this.page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          requestAnimationFrame(() =>
            requestAnimationFrame(() => resolve(window.openRequests ?? 0)),
          );
        }),
    );
  }

  /** Waits until all changes and the answers to their queries are drawn. */
  async settled(): Promise<void> {
    await this.host.waitFor();
    await this.idle();
    await this.page.waitForFunction(() => {
      const last = (name: string) => performance.getEntriesByName(name).at(-1);
      const [drawn, answered] = [last("rtoscope:draw"), last("rtoscope:lanes")];
      if (!drawn || !answered) return false;
      const ends = (entry: PerformanceEntry) => entry.startTime + entry.duration;
      return ends(drawn) >= ends(answered);
    });
  }

  /** Waits until the address is up to date: it is written 250 ms after the last change. */
  async rested(): Promise<void> {
    const { page } = this;
    await expect
      .poll(
        async () => {
          await this.idle();
          const shown = await page.evaluate(() => ({
            url: location.href,
            isWritten: document.documentElement.dataset.address === "written",
          }));
          // The test learns of a new address a little later than the page.
          return (
            shown.isWritten && shown.url === page.url() && Number.isFinite(partOf(page).length)
          );
        },
        { message: "address is written", intervals: [30] },
      )
      .toBe(true);
  }

  /** The visible interval, once the address has it. The view must not be moving. */
  async part(): Promise<VisibleInterval> {
    await this.rested();
    return partOf(this.page);
  }

  /** Box of the ruler and the lanes on the page. */
  async box(): Promise<Box> {
    const box = await this.host.boundingBox();
    if (!box) throw new Error("the timeline is not shown");
    return box;
  }

  /** Row of a lane or a group among the names. */
  row(name: string): Locator {
    return this.names.locator(`[role=treeitem][aria-label=${JSON.stringify(name)}]`);
  }

  /** Names of the rows from top to bottom. */
  async rowNames(): Promise<string[]> {
    const rows = await this.rows.evaluateAll((all) =>
      all
        .map((row) => ({
          name: row.getAttribute("aria-label") ?? "",
          y: row.getBoundingClientRect().y,
        }))
        .toSorted((one, other) => one.y - other.y),
    );
    return rows.map(({ name }) => name);
  }

  /** Page position of a point of a lane. The view must not be moving. */
  async point(lane: string, position: number): Promise<{ x: number; y: number }> {
    const { from, length } = await this.part();
    const [box, row] = await Promise.all([this.box(), this.row(lane).boundingBox()]);
    if (!row) throw new Error(`row ${lane} is missing`);
    return {
      x: box.x + ((position - from) / length) * box.width,
      y: row.y + row.height / 2,
    };
  }

  /** The drawn picture: positions are relative to the ruler and the lanes. */
  picture(): Promise<Picture> {
    return Picture.of(this.host);
  }

  overviewPicture(): Promise<Picture> {
    return Picture.of(this.overview);
  }

  /** Measures between two fractions of the width, below the lanes so that nothing snaps. */
  async dragRange(from: number, to: number): Promise<void> {
    const box = await this.box();
    await this.drag(box, from, to, box.height - 8);
    await expect(this.page.getByTestId("range")).toBeVisible();
  }

  /** Drags the ruler. */
  async dragRuler(from: number, to: number): Promise<void> {
    await this.drag(await this.box(), from, to, RULER / 2);
  }

  private async drag(box: Box, from: number, to: number, below: number): Promise<void> {
    const { mouse } = this.page;
    const y = box.y + below;
    await mouse.move(box.x + box.width * from, y);
    await mouse.down();
    await mouse.move(box.x + box.width * to, y, { steps: 6 });
    await mouse.up();
  }

  /** Moves two fingers between positions in fractions of the width. */
  async pinch(first: readonly [number, number], last: readonly [number, number]): Promise<void> {
    const box = await this.box();
    const session = await this.page.context().newCDPSession(this.page);
    const y = Math.round(box.y + box.height / 2);
    const points = (step: number) =>
      first.map((start, id) => {
        const part = start + ((last[id] ?? start) - start) * step;
        return { id, x: Math.round(box.x + box.width * part), y };
      });
    await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: points(0) });
    for (let step = 1; step <= 6; step += 1) {
      await session.send("Input.dispatchTouchEvent", {
        type: "touchMove",
        touchPoints: points(step / 6),
      });
    }
    await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await session.detach();
  }
}
