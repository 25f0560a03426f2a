/** The start page lists the recordings that were opened last, and opens them. */

import { copyFile, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Server } from "./support/server";
import { ACTIVE, SYSTEM } from "./support/traces";
import { expect, test } from "./support/viewer";

test("recordings are opened again, and the list is emptied", async ({ page, complaints }) => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "rtoscope-recent-")));
  const [system, active] = [SYSTEM, ACTIVE].map((file) => join(folder, basename(file)));
  if (system === undefined || active === undefined) throw new Error("no files");
  await copyFile(SYSTEM, system);
  await copyFile(ACTIVE, active);
  // Each is opened completely, as the page shows it.
  for (const file of [system, active]) {
    const server = await Server.start([file], [], folder);
    await page.goto(server.url);
    await expect(page.getByRole("tab", { name: basename(file) })).toBeVisible();
    await expect(page.getByRole("tree", { name: "Lanes" })).toBeVisible();
    await page.goto("about:blank");
    await server.stop();
  }
  await rm(active);

  const server = await Server.start([], [], folder);
  await page.goto(server.url);
  const list = page.getByRole("region", { name: "Recent recordings" });
  const entries = list.getByRole("listitem").getByRole("button");
  await expect(entries).toHaveCount(2);
  await expect(entries.first()).toContainText("nat_short.binno longer there");
  await expect(entries.first()).toBeDisabled();
  await expect(entries.last()).toContainText(`cm3_system.trx${folder}`);

  // It goes meanwhile.
  complaints.expect(/status of 422/);
  await rm(system);
  await entries.last().click();
  await expect(page.getByRole("status")).toContainText("cm3_system.trx");
  await copyFile(SYSTEM, system);
  await page.reload();
  await entries.last().click();
  await expect(page.getByRole("tree", { name: "Lanes" })).toBeVisible();
  await page.getByRole("button", { name: "Close cm3_system.trx" }).click();
  await expect(entries.first()).toContainText("cm3_system.trx");
  await list.getByRole("button", { name: "Clear" }).click();
  await expect(list).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("button", { name: /^Drop a trace here/ })).toBeVisible();
  await expect(list).toHaveCount(0);
  await page.goto("about:blank");
  await server.stop();
  await rm(folder, { recursive: true });
});
