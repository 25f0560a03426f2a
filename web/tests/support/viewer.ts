/** The viewer in a browser, on copies of traces in its own server. */

import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, type Page } from "@playwright/test";
import type { Answers, QueryOf } from "../../src/session/client";
import { readLanes } from "../../src/session/lanes";
import type { Overview, Query } from "../../src/session/wire";
import { test as base } from "./browser";
import { Complaints } from "./complaints";
import { Server } from "./server";
import { partOf, spotOf } from "./spot";
import { Timeline } from "./timeline";

export { expect };

/** How to open the viewer. */
export interface Opening {
  /** Further options of `rtoscope view`. */
  options?: readonly string[];
  /** Fragment of the address. */
  at?: string;
}

/** A trace of the repository by its path, or one built by a test. */
export type Source = string | { name: string; bytes: Uint8Array };

/** An open viewer. */
export class Viewer {
  readonly timeline: Timeline;

  constructor(
    readonly page: Page,
    readonly complaints: Complaints,
    private readonly files: readonly string[],
    private server: Server,
  ) {
    this.timeline = new Timeline(page);
  }

  get url(): string {
    return this.server.url;
  }

  /** What the program wrote on standard error. */
  get messages(): string {
    return this.server.messages;
  }

  /** Path of the copy of the first trace. */
  get file(): string {
    return this.files[0] ?? "";
  }

  /** Gives the page another size and waits for its picture. */
  async resize(width: number, height: number): Promise<void> {
    await this.page.setViewportSize({ width, height });
    await this.timeline.settled();
  }

  /** Loads the page and waits for its picture. */
  async load(at = ""): Promise<void> {
    await this.page.goto(at === "" ? this.url : `${this.url}#${at}`);
    await this.timeline.settled();
  }

  /** Stops the program and starts it again with the same files. */
  async restart(): Promise<void> {
    await this.page.goto("about:blank");
    await this.server.stop();
    this.server = await Server.start(this.files);
    await this.load();
  }

  async stop(): Promise<void> {
    await this.server.stop();
  }

  /** Stops the program while the page is open. */
  async end(): Promise<void> {
    this.complaints.expect(
      /ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|ERR_INCOMPLETE/,
    );
    await this.server.stop();
  }

  /**
   * Starts the program again with the same files, as a user repeats the command. The page is not
   * reloaded.
   */
  async startAgain(): Promise<void> {
    const before = this.url;
    this.server = await Server.start(this.files);
    expect(this.url, "address of a repeated command").toBe(before);
  }

  /** Queries the server like the page. */
  async query<A extends Query["query"]>(query: QueryOf<A>): Promise<Answers[A]> {
    const { text, isBinary } = await this.page.evaluate(async (body) => {
      const [trace] = (await (await fetch("api/traces")).json()) as { id: number }[];
      const response = await fetch(`api/traces/${trace?.id ?? 0}/query`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
      if (!response.ok) throw new Error(await response.text());
      const isBinary = response.headers.get("content-type") === "application/octet-stream";
      if (!isBinary) return { text: await response.text(), isBinary };
      const bytes = new Uint8Array(await response.arrayBuffer());
      return {
        text: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")),
        isBinary,
      };
    }, JSON.stringify(query));
    const answer: unknown = isBinary
      ? readLanes(Uint8Array.from(Buffer.from(text, "base64")).buffer)
      : JSON.parse(text);
    return answer as Answers[A];
  }

  overview(): Promise<Overview> {
    return this.query({ query: "overview" });
  }

  /** Presses keys on the page one after the other. */
  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Runs a command by its title. */
  async command(title: string): Promise<void> {
    await this.press("Control+k");
    await this.page.getByRole("combobox", { name: "Find a command" }).fill(title);
    await this.page
      .getByRole("listbox", { name: "Matches" })
      .getByRole("option", { name: title })
      .first()
      .click();
  }

  /** Selects an event by number. */
  async select(event: number): Promise<void> {
    const box = this.page.getByRole("textbox", { name: "Event number" });
    await box.fill(String(event));
    await box.press("Enter");
    await this.expectSelected(event);
    await box.blur();
  }

  /** Waits until an event is selected. */
  async expectSelected(event: number | undefined): Promise<void> {
    await expect
      .poll(() => spotOf(this.page).event, { message: "selected event", intervals: [50] })
      .toBe(event);
  }

  /** A panel, opened by its tab. */
  async panel(title: string) {
    const tabs = this.page.getByRole("tablist", { name: /^(Side|Lower) panel$/ });
    await tabs.getByRole("tab", { name: title, exact: true }).click();
    return this.page.getByRole("tabpanel", { name: title, exact: true });
  }

  /** Runs an action and waits until the visible interval changes. */
  async whileMoving(act: () => Promise<unknown>): Promise<void> {
    await this.rested();
    const before = this.page.url();
    await act();
    await expect
      .poll(() => this.page.url(), { message: "address after a move", intervals: [50] })
      .not.toBe(before);
    await this.rested();
  }

  /** Waits until the address is up to date: it is written 250 ms after the last change. */
  async rested(): Promise<void> {
    const { page } = this;
    await expect
      .poll(
        async () => {
          await this.timeline.idle();
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
}

interface Fixtures {
  complaints: Complaints;
  /** Opens traces; called once per test. */
  open: (sources: Source | readonly Source[], opening?: Opening) => Promise<Viewer>;
}

export const test = base.extend<Fixtures>({
  complaints: async ({ page }, use) => {
    const complaints = new Complaints(page);
    await use(complaints);
    expect(complaints.unexpected, "page errors").toEqual([]);
  },
  open: async ({ page, complaints }, use) => {
    const folder = await mkdtemp(join(tmpdir(), "rtoscope-viewer-"));
    const opened: Viewer[] = [];
    await use(async (sources, { options, at } = {}) => {
      const files = await Promise.all([sources].flat().map((source) => copied(folder, source)));
      const viewer = new Viewer(page, complaints, files, await Server.start(files, options));
      opened.push(viewer);
      await viewer.load(at);
      return viewer;
    });
    if (!page.isClosed()) await page.goto("about:blank");
    for (const viewer of opened) await viewer.stop();
    await rm(folder, { recursive: true });
  },
});

async function copied(folder: string, source: Source): Promise<string> {
  const path = join(folder, typeof source === "string" ? basename(source) : source.name);
  if (typeof source === "string") await copyFile(source, path);
  else await writeFile(path, source.bytes);
  return path;
}
