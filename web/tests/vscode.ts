/** The extension in Visual Studio Code's server, in a browser. */

import { execFileSync, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { test as base, expect, type FrameLocator, type Page } from "@playwright/test";
import { MEMORY, SYSTEM } from "./support/traces";

const SERVER = process.env.RTOSCOPE_CODE_SERVER ?? "";
/** The folder into which the editor is installed. */
const [EDITOR = ""] = SERVER.split("/node_modules/");
const PACKAGE = process.env.RTOSCOPE_VSIX ?? "";
const root = fileURLToPath(new URL("../..", import.meta.url));

/** The picture of the book, which is renewed but not compared: the editor has its own version. */
const PICTURE = join(root, "docs/src/viewer/pictures/vscode.png");

/** Settings without which the editor asks questions. */
const SETTINGS = {
  "workbench.startupEditor": "none",
  "security.workspace.trust.enabled": false,
  "workbench.enableExperiments": false,
  "rtoscope.path": "/no/rtoscope",
};

const freePort = () =>
  new Promise<number>((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" ? (address?.port ?? 0) : 0));
    });
  });

class Editor {
  /** Errors of the page. The server lacks modules, and has errors of its own. */
  readonly complaints: string[] = [];

  constructor(
    readonly page: Page,
    private readonly url: string,
    private readonly settings: string,
    /** The folder of the workspace. */
    readonly folder: string,
  ) {
    page.on("console", (message) => {
      // The editor's own folder may be in one of that name.
      const said = (message.text() + message.location().url).replaceAll(EDITOR, "");
      const isOurs = /rtoscope|Content Security Policy/.test(said);
      if (message.type() === "error" && isOurs) this.complaints.push(message.text());
    });
    this.configure({});
  }

  async load(): Promise<void> {
    await this.page.goto(`${this.url}/?folder=${this.folder}`);
    // Extensions count from when they are registered, which the window does not show.
    const known = this.page.getByRole("option", { name: "rtoscope: Record live…" });
    await expect(async () => {
      await this.palette("rtoscope: ");
      await expect(known).toBeVisible({ timeout: 1000 });
    }).toPass();
    await this.page.keyboard.press("Escape");
  }

  get quickInput() {
    return this.page.locator(".quick-input-widget input[type=text]");
  }

  private async palette(text: string): Promise<void> {
    // The key of an open palette selects its next line.
    await this.page.keyboard.press("Escape");
    await this.page.keyboard.press("F1");
    await this.quickInput.fill(`>${text}`, { timeout: 5000 });
  }

  /** Adds a file to the workspace. */
  add(name: string, from: string): void {
    cpSync(from, join(this.folder, name));
  }

  write(name: string, text: string): void {
    const path = join(this.folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  /** Changes the user's settings, before the window is loaded. */
  configure(settings: object): void {
    writeFileSync(this.settings, JSON.stringify({ ...SETTINGS, ...settings }));
  }

  /** Selects an event in the page, whose details are shown. */
  async select(event: number): Promise<void> {
    await this.viewer.getByRole("tab", { name: "Details", exact: true }).click();
    const box = this.viewer.getByRole("textbox", { name: "Event number" });
    await box.fill(String(event));
    await box.press("Enter");
    await expect(this.viewer.getByText(`event ${event}`, { exact: true })).toBeVisible();
    await box.blur();
  }

  /** A file in the explorer. */
  file(name: string) {
    return this.page.locator(".explorer-folders-view").getByRole("treeitem", { name, exact: true });
  }

  /** The page in the active editor. */
  get viewer(): FrameLocator {
    return this.page.frameLocator("iframe.webview.ready").frameLocator("#active-frame");
  }

  async run(command: string): Promise<void> {
    await this.palette(command);
    await this.page.getByRole("option", { name: command }).click();
  }

  /** Opens a file in a folder with the extension's command. */
  async openWithMenu(folder: string, name: string): Promise<void> {
    await this.file(folder).click();
    await this.file(name).click({ button: "right" });
    const item = this.page.getByRole("menuitem", { name: "Open with rtoscope" });
    await expect(item).toBeVisible();
    // A menu ignores clicks in its first moments, and stays open.
    await expect(async () => {
      if (await item.isVisible()) await item.click({ timeout: 5000 });
      await expect(this.page.getByRole("tab", { name })).toBeVisible({ timeout: 2000 });
    }).toPass();
  }
}

interface Server {
  url: string;
  /** The file of the user's settings. */
  settings: string;
  /** Everything that the server writes, and the workspaces. */
  folder: string;
}

const test = base.extend<{ editor: Editor }, { server: Server }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: the fixture needs no other
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), "vscode-"));
      const extensions = ["--extensions-dir", join(folder, "extensions")];
      const data = join(folder, "data");
      const settings = join(data, "data/User/settings.json");
      mkdirSync(dirname(settings), { recursive: true });
      const storage = ["--server-data-dir", data, "--accept-server-license-terms"];
      const install = ["--install-extension", PACKAGE, ...storage, ...extensions];
      execFileSync(process.execPath, [SERVER, ...install], { stdio: "pipe" });
      const port = await freePort();
      const address = ["--host", "127.0.0.1", "--port", `${port}`, "--without-connection-token"];
      const server = spawn(
        process.execPath,
        [SERVER, ...address, "--telemetry-level", "off", ...storage, ...extensions],
        { stdio: ["ignore", "pipe", "ignore"] },
      );
      await new Promise<void>((started, failed) => {
        server.stdout.on(
          "data",
          (text) => String(text).includes("Extension host agent") && started(),
        );
        server.once("exit", (code) => failed(new Error(`the server has exited with ${code}`)));
      });
      await use({ url: `http://127.0.0.1:${port}`, settings, folder });
      server.kill();
      await new Promise((ended) => server.once("exit", ended));
      rmSync(folder, { recursive: true });
    },
    { scope: "worker" },
  ],
  editor: async ({ page, server }, use) => {
    const folder = mkdtempSync(join(server.folder, "workspace-"));
    await use(new Editor(page, server.url, server.settings, folder));
  },
});

// One server, whose settings a test changes.
test.describe.configure({ mode: "default" });

/** A context-switch log in memory, and the sources of its firmware as on another machine. */
function addLog(editor: Editor, symbols: string): void {
  editor.add("log/memory.bin.gz", MEMORY);
  editor.add("build/demo.elf", join(root, "testdata/firmware/demo.elf"));
  editor.add("firmware/demo/src/threads.rs", join(root, "firmware/demo/src/threads.rs"));
  const settings = "[settings]\nlog-base = 0x20000000\n";
  editor.write("rtoscope.toml", `[recording]\n${symbols}input-format = "cswitch"\n${settings}`);
}

for (const host of ["workspace", "web"]) {
  test(`a recording opens, and keeps notes beside it: ${host}`, async ({ editor }) => {
    editor.configure({ "remote.extensionKind": { "rtoscope.rtoscope": [host] } });
    editor.add("system.trx", SYSTEM);
    await editor.load();
    await editor.file("system.trx").dblclick();
    const { viewer } = editor;
    await expect(viewer.locator(".timeline-canvases")).toBeVisible();
    await editor.select(424);
    if (process.env.RTOSCOPE_BLESS === "1") await editor.page.screenshot({ path: PICTURE });
    await editor.page.keyboard.press("b");
    const dialog = viewer.getByRole("dialog", { name: "New bookmark at event 424" });
    await dialog.getByRole("textbox", { name: "Note" }).fill("here");
    await dialog.getByRole("button", { name: "Save" }).click();
    const notes = join(editor.folder, "system.trx.rtoscope.json");
    const saved = () => (existsSync(notes) ? readFileSync(notes, "utf8") : "");
    await expect.poll(saved).toMatch(/"note":\s*"here"/);
    await editor.load();
    await editor.file("system.trx").dblclick();
    await viewer.getByRole("tab", { name: "Bookmarks", exact: true }).click();
    await expect(viewer.getByRole("listitem").filter({ hasText: "here" })).toBeVisible();
    expect(editor.complaints).toEqual([]);
  });
}

test("code addresses open their source", async ({ editor }) => {
  addLog(editor, 'symbols = "build/demo.elf"\n');
  await editor.load();
  await editor.openWithMenu("log", "memory.bin.gz");
  await editor.select(13);
  const handler = editor.viewer.getByTitle("Go to source");
  await expect(handler).toHaveText(/^demo::threads::pulse .*\/threads\.rs:145/);
  await handler.click();
  await expect(editor.page.getByRole("tab", { name: "threads.rs" })).toBeVisible();
  await expect(editor.page.getByRole("button", { name: /^Ln 145,/ })).toBeVisible();
});

test("the firmware of a folder can be chosen", async ({ editor }) => {
  addLog(editor, "");
  await editor.load();
  await editor.openWithMenu("log", "memory.bin.gz");
  await expect(editor.viewer.getByRole("status")).toContainText("memory.bin.gz");
  await editor.page.getByRole("button", { name: /^Choose firmware/ }).click();
  await editor.quickInput.fill(join(editor.folder, "build/demo.elf"));
  await editor.quickInput.press("Enter");
  await editor.select(13);
  await expect(editor.viewer.getByTitle("Go to source")).toHaveText(/^demo::threads::pulse/);
});

test("an extension that is shared with other programs leaves the choice", async ({ editor }) => {
  editor.write("events.csv", "time_us,event,thread\n0,switch_in,ui\n5,switch_in,idle\n");
  await editor.load();
  await editor.file("events.csv").dblclick();
  await expect(editor.page.locator(".monaco-editor .view-lines")).toContainText("switch_in");
  await editor.run("View: Reopen Editor With...");
  await editor.page.getByRole("option", { name: "rtoscope" }).click();
  await expect(editor.viewer.locator(".timeline-canvases")).toBeVisible();
});

test("what cannot be done has a message", async ({ editor }) => {
  editor.write("log/odd.dat", "no trace");
  await editor.load();
  await editor.openWithMenu("log", "odd.dat");
  const refused = editor.viewer.getByRole("status").filter({ hasText: "odd.dat" });
  await expect(refused).toBeVisible();
  await editor.run("rtoscope: Record live…");
  await expect(editor.page.getByText("/no/rtoscope is not installed")).toBeVisible();
});
