/** The viewer in a browser, on copies of traces. */

import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { expect, type Page, type Request } from "@playwright/test";
import type { Answers, QueryOf } from "../../src/session/client";
import { readLanes } from "../../src/session/lanes";
import type { Overview, Query } from "../../src/session/wire";
import { test as base } from "./browser";
import { Complaints } from "./complaints";
import { type PooledServer, ServerPool, type Source } from "./pool";
import { Server } from "./server";
import { askSession, watchWorkers } from "./session-workers";
import { Site } from "./site";
import { spotOf } from "./spot";
import { GivenFiles } from "./standalone";
import { Timeline } from "./timeline";

export { expect };

/** How to open the viewer. */
export interface Opening {
  /** Further options of `rtoscope view`. */
  options?: readonly string[];
  /** Fragment of the address. */
  at?: string;
}

/** The page without a server, and the files that the user gives to it. */
interface StandaloneHost {
  site: Site;
  files: GivenFiles;
}

/** An open viewer. */
export class Viewer {
  readonly timeline: Timeline;
  private readonly size: { width: number; height: number };
  private resets = 0;

  constructor(
    readonly page: Page,
    readonly complaints: Complaints,
    private readonly host: PooledServer | StandaloneHost,
  ) {
    this.timeline = new Timeline(page);
    this.size = page.viewportSize() ?? { width: 0, height: 0 };
  }

  get url(): string {
    return "site" in this.host ? this.host.site.url : this.host.server.url;
  }

  /** The server; a page without one has none. */
  private get pooled(): PooledServer {
    if ("site" in this.host)
      throw new Error("this test needs a server: see support/server-only.ts");
    return this.host;
  }

  /** What the program wrote on standard error. */
  get messages(): string {
    return this.pooled.server.messages;
  }

  /** Path of the copy of the first trace. */
  get file(): string {
    const { host } = this;
    return ("site" in host ? host.files.recordings : host.files)[0] ?? "";
  }

  /** The first trace in commands that the page shows: a page without a server knows no folders. */
  get named(): string {
    return "site" in this.host ? basename(this.file) : this.file;
  }

  /** The notes that the user would have in a file: beside the trace, or saved by the page. */
  async notes(): Promise<Record<string, unknown>> {
    const isKept = "site" in this.host;
    const text = isKept
      ? await askSession(this.page, "read_notes")
      : await readFile(`${this.file}.rtoscope.json`);
    return JSON.parse(String(text)) as Record<string, unknown>;
  }

  /** Gives the page another size and waits for its picture. */
  async resize(width: number, height: number): Promise<void> {
    await this.page.setViewportSize({ width, height });
    await this.timeline.settled();
  }

  /** Goes to an address of the page, and waits for its picture. */
  async load(at = ""): Promise<void> {
    const { host, page } = this;
    const url = `${this.url}${this.version}${at === "" ? "" : `#${at}`}`;
    // The browser does not load the page if only the fragment differs.
    if ("site" in host) await page.goto("about:blank");
    await page.goto(url);
    if ("site" in host) await give(page, host.files, at !== "");
    await this.timeline.settled();
  }

  /** Loads the page again; the user of one without a server opens the same files again. */
  async reload(): Promise<void> {
    const { host, page } = this;
    await page.reload();
    if ("site" in host) await give(page, host.files, true);
    await this.timeline.settled();
  }

  /** Loads the page as in another browser: without what was stored, and in a window of a size. */
  async reset(at = "", size = this.size): Promise<void> {
    const { page } = this;
    this.resets += 1;
    await page.evaluate(() => localStorage.clear());
    await page.emulateMedia({ media: null, colorScheme: "light" });
    await page.setViewportSize(size);
    await page.mouse.move(0, 0);
    await this.load(at);
  }

  /** A query for each reset: the browser loads the page, although only the fragment differs. */
  private get version(): string {
    return this.resets === 0 ? "" : `?${this.resets}`;
  }

  /** Stops the program, if there is one, and opens the same files again. */
  async restart(): Promise<void> {
    if ("site" in this.host) return this.load();
    await this.page.goto("about:blank");
    await this.stopServer();
    await this.startServer();
    await this.load();
  }

  /** Stops the program while the page is open. */
  async end(): Promise<void> {
    this.complaints.expect(
      /ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|ERR_INCOMPLETE/,
    );
    await this.stopServer();
  }

  /**
   * Starts the program again with the same files, as a user repeats the command. The page is not
   * reloaded.
   */
  async startAgain(): Promise<void> {
    const before = this.url;
    await this.startServer();
    expect(this.url, "address of a repeated command").toBe(before);
  }

  private async stopServer(): Promise<void> {
    this.pooled.isPristine = false;
    await this.pooled.server.stop();
  }

  private async startServer(): Promise<void> {
    const { files, options } = this.pooled;
    this.pooled.server = await Server.start(files, options);
  }

  /** Queries the session like the page. */
  async query<A extends Query["query"]>(query: QueryOf<A>): Promise<Answers[A]> {
    if ("site" in this.host) {
      const body = await askSession(this.page, "answer_query", JSON.stringify(query));
      const isLanes = query.query === "lanes";
      const answer: unknown = isLanes
        ? readLanes(Uint8Array.from(body).buffer)
        : JSON.parse(`${body}`);
      return answer as Answers[A];
    }
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

  /** Takes the focus from the element that has it. */
  blur(): Promise<void> {
    return blur(this.page);
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

  /** Runs an action and returns the file that it saves. */
  async saved(act: () => Promise<unknown>): Promise<{ name: string; bytes: Buffer; text: string }> {
    const waiting = this.page.waitForEvent("download");
    await act();
    const file = await waiting;
    const bytes = await readFile(await file.path());
    return { name: file.suggestedFilename(), bytes, text: bytes.toString() };
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
    await this.timeline.rested();
    const before = this.page.url();
    await act();
    await expect
      .poll(() => this.page.url(), { message: "address after a move", intervals: [50] })
      .not.toBe(before);
    await this.timeline.rested();
  }
}

/** Time to leave the page after a test, in milliseconds. */
const LEAVES_WITHIN = 30_000;

/** Opens traces. */
type Open = (sources: Source | readonly Source[], opening?: Opening) => Promise<Viewer>;

interface Fixtures {
  complaints: Complaints;
  open: Open;
}

interface WorkerFixtures {
  servers: ServerPool;
  site: Site;
}

/** What differs between the projects of the tests. */
export interface BackendOptions {
  /** What answers the page. */
  backend: "server" | "workers";
}

/** Opens files in tabs, and shows the first, unless the address shows one. */
async function give(
  page: Page,
  { recordings, companions }: GivenFiles,
  isAddressed: boolean,
): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  // By key: the focus stays where a server would have left it.
  await page.keyboard.press("o");
  await (await chooser).setFiles([...companions, ...recordings]);
  const tabs = page.getByRole("tablist", { name: "Open traces" }).getByRole("tab");
  await expect(tabs).toHaveCount(recordings.length);
  if (recordings.length === 1 || isAddressed) return;
  await tabs.first().click();
  await blur(page);
  await page.mouse.move(0, 0);
}

async function blur(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { activeElement } = document;
    if (activeElement instanceof HTMLElement) activeElement.blur();
  });
}

/** Whether a request changes what the server has open, or the notes beside it. */
function isChange(request: Request): boolean {
  return request.method() !== "GET" && !/\/(query|sql)$/.test(new URL(request.url()).pathname);
}

export const test = base.extend<Fixtures, WorkerFixtures & BackendOptions>({
  backend: ["server", { option: true, scope: "worker" }],
  servers: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
    async ({}, use) => {
      const pool = new ServerPool();
      await use(pool);
      await pool.stop();
    },
    { scope: "worker" },
  ],
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
    async ({}, use) => {
      const site = await Site.start();
      await use(site);
      site.stop();
    },
    { scope: "worker" },
  ],
  complaints: async ({ page }, use) => {
    const complaints = new Complaints(page);
    await use(complaints);
    expect(complaints.unexpected, "page errors").toEqual([]);
  },
  open: async ({ page, complaints, backend, servers, site }, use, info) => {
    if (backend === "workers") return openInWorkers(page, complaints, site, use);
    const opened: PooledServer[] = [];
    page.on("request", (request) => {
      if (!isChange(request)) return;
      for (const pooled of opened) {
        if (request.url().startsWith(pooled.server.url)) pooled.isPristine = false;
      }
    });
    await use(async (sources, { options = [], at } = {}) => {
      const pooled = await servers.take([sources].flat(), options);
      opened.push(pooled);
      const viewer = new Viewer(page, complaints, pooled);
      await viewer.load(at);
      return viewer;
    });
    const hasFailed = info.status !== info.expectedStatus;
    const programs = opened.map(({ server }) => server.process.description()).join("\n");
    if (hasFailed) await info.attach("programs", { body: programs, contentType: "text/plain" });
    try {
      for (const pooled of opened) if (hasFailed) pooled.isPristine = false;
      // The page must not report that its server is gone.
      const isStopping = opened.some((pooled) => !servers.keeps(pooled));
      if (isStopping && !page.isClosed())
        await page.goto("about:blank", { timeout: LEAVES_WITHIN });
    } finally {
      for (const pooled of opened) await servers.give(pooled);
    }
  },
});

/** Lets a test open traces in a page without a server. */
async function openInWorkers(
  page: Page,
  complaints: Complaints,
  site: Site,
  use: (open: Open) => Promise<void>,
): Promise<void> {
  const opened: GivenFiles[] = [];
  await watchWorkers(page);
  await use(async (sources, { options = [], at } = {}) => {
    const files = await GivenFiles.create([sources].flat(), options);
    opened.push(files);
    const viewer = new Viewer(page, complaints, { site, files });
    await viewer.load(at);
    return viewer;
  });
  for (const files of opened) await files.remove();
}
