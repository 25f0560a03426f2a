/** The page without a server: on a web host, and as a file with a recording. */

import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { copyFile, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { test as base, expect, type Page } from "@playwright/test";
import { ACTIVE, CAMERA, MEMORY, SYSTEM } from "./support/traces";

const target = fileURLToPath(new URL("../../target", import.meta.url));
const SITE = process.env.RTOSCOPE_SITE ?? join(target, "page");
const FILE = process.env.RTOSCOPE_PAGE ?? join(target, "page-file/recording.html");
const TYPES: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

interface Site {
  url: string;
  /** Paths of all requests. */
  requests: string[];
}

const test = base.extend<object, { site: Site }>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: the fixture needs no other
    async ({}, use) => {
      const requests: string[] = [];
      const server = createServer((request, response) => {
        const path = new URL(request.url ?? "/", "http://localhost").pathname;
        requests.push(path);
        readFile(join(SITE, path === "/" ? "index.html" : path)).then(
          (content) => {
            response.setHeader("content-type", TYPES[extname(path) || ".html"] ?? "text/plain");
            response.end(content);
          },
          () => response.writeHead(404).end(),
        );
      });
      await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
      const { port } = server.address() as AddressInfo;
      await use({ url: `http://127.0.0.1:${port}/`, requests });
      server.close();
    },
    { scope: "worker" },
  ],
});

/** Fails the test at the end if the page has complained. */
function complaints(page: Page): string[] {
  const found: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") found.push(message.text());
  });
  page.on("pageerror", (error) => found.push(error.message));
  return found;
}

async function choose(page: Page, files: string[]): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Open a file…" }).click();
  await (await chooser).setFiles(files);
}

const tab = (page: Page, name: string) => page.getByRole("tab", { name, selected: true });

test("recordings of each format open without a request", async ({ page, site }) => {
  const complained = complaints(page);
  await page.goto(site.url);
  await expect(page.getByText("Drop a trace here")).toBeVisible();
  await page.evaluate(() => navigator.serviceWorker.ready);
  const before = site.requests.length;
  const demo = fileURLToPath(new URL("../../testdata/firmware/demo.elf", import.meta.url));
  await choose(page, [SYSTEM]);
  await expect(tab(page, "cm3_system.trx")).toBeVisible();
  await choose(page, [ACTIVE]);
  await expect(tab(page, "nat_short.bin")).toBeVisible();
  await choose(page, [MEMORY, demo]);
  await expect(tab(page, "memory.bin.gz")).toBeVisible();
  await expect(page.locator(".timeline-canvases")).toBeVisible();
  expect(site.requests.slice(before)).toEqual([]);
  expect(complained).toEqual([]);
});

test("the project's file and bad files count as for the command", async ({ page, site }) => {
  await page.goto(site.url);
  const folder = mkdtempSync(join(tmpdir(), "page-"));
  await copyFile(CAMERA, join(folder, "camera.bin.gz"));
  writeFileSync(join(folder, "rtoscope.toml"), '[recording]\nclock = "25MHz"\n');
  writeFileSync(join(folder, "garbage.bin"), "no trace");
  await choose(page, [join(folder, "camera.bin.gz"), join(folder, "rtoscope.toml")]);
  await expect(tab(page, "camera.bin.gz")).toBeVisible();
  await expect(page.getByText("25 MHz").first()).toBeVisible();
  await choose(page, [join(folder, "garbage.bin")]);
  await expect(page.getByRole("status").filter({ hasText: "garbage.bin" })).toBeVisible();
  await expect(page.getByRole("tab", { name: "garbage.bin" })).toHaveCount(0);
});

test("samples and links open, also without a connection", async ({ page, site, context }) => {
  await page.goto(site.url);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await context.setOffline(true);
  await page.reload();
  await page.getByRole("button", { name: "cm3_system.trx" }).click();
  await expect(tab(page, "cm3_system.trx")).toBeVisible();
  await context.setOffline(false);
  await page.goto("about:blank");
  const asset = site.requests.find((path) => path.endsWith(".trx")) ?? "";
  await page.goto(`${site.url}#open=${encodeURIComponent(asset)}`);
  await expect(page.getByRole("tab").first()).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("data-address", "written");
  expect(page.url()).toContain("open=");
});

test("a file with a recording opens from disk", async ({ page }) => {
  const complained = complaints(page);
  const folder = mkdtempSync(join(tmpdir(), "page-"));
  const out = join(folder, "trace.html");
  execFileSync(
    process.env.RTOSCOPE_BIN ?? "rtoscope",
    ["export", "--to", "page", "--clock", "64MHz", "-o", out, SYSTEM],
    { env: { ...process.env, RTOSCOPE_PAGE: FILE } },
  );
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url().slice(0, 40)));
  await page.goto(pathToFileURL(out).href);
  await expect(page.getByRole("tab", { name: "cm3_system.trx" })).toBeVisible();
  await expect(page.locator(".timeline-canvases")).toBeVisible();
  await expect(page.getByText("64 MHz").first()).toBeVisible();
  expect(requests.filter((url) => !/^(file|data|blob):/.test(url))).toEqual([]);
  expect(complained).toEqual([]);
});
