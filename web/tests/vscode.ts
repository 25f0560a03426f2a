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
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { test as base, expect, type FrameLocator, type Page } from "@playwright/test";
import { MEMORY, SYSTEM } from "./support/traces";

const SERVER = process.env.RTOSCOPE_CODE_SERVER ?? "";
const PACKAGE = process.env.RTOSCOPE_VSIX ?? "";
const root = fileURLToPath(new URL("../..", import.meta.url));

/** Settings of a user who has chosen not to be asked. */
const SETTINGS = {
  "workbench.startupEditor": "none",
  "security.workspace.trust.enabled": false,
  "workbench.enableExperiments": false,
  "chat.commandCenter.enabled": false,
};

const freePort = () =>
  new Promise<number>((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" ? (address?.port ?? 0) : 0));
    });
  });

class Editor {
  constructor(
    readonly page: Page,
    private readonly url: string,
    /** The folder of the workspace. */
    readonly folder: string,
  ) {}

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

  private async palette(text: string): Promise<void> {
    await this.page.keyboard.press("F1");
    await this.page.getByRole("textbox", { name: /Type the name of a command/ }).fill(`>${text}`);
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

  async openWithMenu(name: string): Promise<void> {
    await this.file(name).click({ button: "right" });
    await this.page.getByRole("menuitem", { name: "Open with rtoscope" }).click();
  }
}

interface Server {
  url: string;
  folder: string;
}

const test = base.extend<{ editor: Editor }, { server: Server }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: the fixture needs no other
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), "vscode-"));
      const extensions = ["--extensions-dir", join(folder, "extensions")];
      const data = join(folder, "data");
      mkdirSync(join(data, "data/User"), { recursive: true });
      writeFileSync(join(data, "data/User/settings.json"), JSON.stringify(SETTINGS));
      const storage = ["--server-data-dir", data, "--accept-server-license-terms"];
      const install = ["--install-extension", PACKAGE, ...storage, ...extensions];
      execFileSync(process.execPath, [SERVER, ...install], { stdio: "pipe" });
      const port = await freePort();
      const address = ["--host", "127.0.0.1", "--port", `${port}`, "--without-connection-token"];
      const server = spawn(
        process.execPath,
        [SERVER, ...address, "--telemetry-level", "off", ...storage, ...extensions],
        { stdio: ["ignore", "pipe", "pipe"] },
      );
      await new Promise<void>((started) => {
        server.stdout.on("data", (text) => String(text).includes("agent host") && started());
        setTimeout(started, 5000);
      });
      await use({ url: `http://127.0.0.1:${port}`, folder });
      server.kill();
      await new Promise((ended) => server.once("exit", ended));
      rmSync(folder, { recursive: true });
    },
    { scope: "worker" },
  ],
  editor: async ({ page, server }, use) => {
    const folder = mkdtempSync(join(server.folder, "workspace-"));
    await use(new Editor(page, server.url, folder));
  },
});

test("a recording opens by its extension, and keeps notes beside it", async ({ editor }) => {
  cpSync(SYSTEM, join(editor.folder, "cm3_system.trx"));
  await editor.load();
  await editor.file("cm3_system.trx").dblclick();
  editor.page.on("console", (m) => m.type() === "error" && console.log(m.text().slice(0, 400)));
  await expect(editor.viewer.locator("#app")).toBeAttached({ timeout: 30000 });
  await editor.page.waitForTimeout(8000);
  console.log(await editor.viewer.locator("body").innerText());
  await editor.page.screenshot({ path: "/tmp/h/vscode/t1.png" });
});
