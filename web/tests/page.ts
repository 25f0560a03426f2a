/** The page without a server, where it differs from one with a server: see also playwright.config.ts. */

import { execFileSync } from "node:child_process";
import { pathToFileURL } from "node:url";
import type { Page } from "@playwright/test";
import { exportedPage } from "./support/exported-page";
import { program } from "./support/process";
import { reported } from "./support/report";
import { askSession, watchWorkers } from "./support/session-workers";
import { ACTIVE, SYSTEM } from "./support/traces";
import { expect, test } from "./support/viewer";

const tab = (page: Page, name: string) => page.getByRole("tab", { name, selected: true });

async function choose(page: Page, file: string): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Open a file…" }).click();
  await (await chooser).setFiles(file);
}

test("recordings open without a request", async ({ page, site, complaints }) => {
  await page.goto(site.url);
  await expect(page.getByText("Drop a trace here")).toBeVisible();
  await page.evaluate(() => navigator.serviceWorker.ready);
  const before = site.requests.length;
  await choose(page, SYSTEM);
  await expect(tab(page, "cm3_system.trx")).toBeVisible();
  await choose(page, ACTIVE);
  await expect(tab(page, "nat_short.bin")).toBeVisible();
  expect(site.requests.slice(before)).toEqual([]);
  expect(complaints.unexpected).toEqual([]);
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

/** Commands that write a folder with a recording. */
const FOLDERS = {
  capture: ["live", pathToFileURL(ACTIVE).href, "--quiet", "--save"],
  "CTF trace": ["export", SYSTEM, "--to", "ctf", "-o"],
};
for (const [what, command] of Object.entries(FOLDERS)) {
  test(`the folder of a ${what} opens as for the command`, async ({
    page,
    site,
    complaints,
  }, info) => {
    const folder = info.outputPath("run");
    execFileSync(program(), [...command, folder]);
    await watchWorkers(page);
    await page.goto(site.url);
    await expect(page.getByText("Drop a trace here")).toBeVisible();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Find a command" }).fill("Open a folder");
    const chooser = page.waitForEvent("filechooser");
    await page.keyboard.press("Enter");
    await (await chooser).setFiles(folder);
    await expect(tab(page, "run")).toBeVisible();
    const [overview, { events }] = await Promise.all([
      askSession(page, "answer_query", JSON.stringify({ query: "overview" })),
      reported(folder),
    ]);
    expect(JSON.parse(String(overview)).events).toBe(events);
    expect(complaints.unexpected).toEqual([]);
  });
}

test("a file with a recording opens from disk", async ({ page, complaints }, info) => {
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url().slice(0, 40)));
  await page.goto(pathToFileURL(exportedPage(info.outputPath("trace.html"))).href);
  await expect(page.getByRole("tab", { name: "cm3_system.trx" })).toBeVisible();
  await expect(page.locator(".timeline-canvases")).toBeVisible();
  await expect(page.getByText("64 MHz").first()).toBeVisible();
  expect(requests.filter((url) => !/^(file|data|blob):/.test(url))).toEqual([]);
  expect(complaints.unexpected).toEqual([]);
});
