/**
 * Opening files.
 *
 * TraceX: "File > Open" for binary, Intel HEX, S-record and plain hex; no notes file beside it.
 */

import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { Page } from "@playwright/test";
import { REFUSED } from "./support/complaints";
import { INTERRUPTS, SMP, SYSTEM } from "./support/traces";
import { expect, test } from "./support/viewer";

const BROKEN = { name: "broken.trx", bytes: new TextEncoder().encode("not a trace") };

/** Drops files on the page, as from a file manager. */
async function drop(page: Page, files: { name: string; bytes: Uint8Array }[]): Promise<void> {
  const given = files.map(({ name, bytes }) => ({
    name,
    text: Buffer.from(bytes).toString("base64"),
  }));
  const transfer = await page.evaluateHandle((all) => {
    const data = new DataTransfer();
    for (const { name, text } of all) {
      const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      data.items.add(new File([bytes], name));
    }
    return data;
  }, given);
  await page.dispatchEvent("body", "dragenter", { dataTransfer: transfer });
  await page.dispatchEvent("body", "dragover", { dataTransfer: transfer });
  await expect(page.getByText("Drop to open")).toBeVisible();
  await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
  await expect(page.getByText("Drop to open")).toBeHidden();
}

test("dropped and chosen files open in tabs", async ({ open }) => {
  const viewer = await open(SYSTEM);
  await test.step("a dropped file opens in a tab", async () => {
    const { page } = viewer;
    await viewer.select(42);
    await drop(page, [{ name: "second.trx", bytes: await readFile(SMP) }]);
    const tabs = page.getByRole("tablist", { name: "Open traces" });
    await expect(tabs.getByRole("tab", { name: "second.trx" })).toHaveAttribute(
      "aria-selected",
      "true",
    );
    await expect(viewer.timeline.row("Core 1").first()).toBeVisible();
    await page.keyboard.press("[");
    await expect(tabs.getByRole("tab", { name: basename(SYSTEM) })).toHaveAttribute(
      "aria-selected",
      "true",
    );
    // The other tab keeps its state.
    await viewer.expectSelected(42);
    await page.keyboard.press("]");
    await expect(tabs.getByRole("tab", { name: "second.trx" })).toHaveAttribute(
      "aria-selected",
      "true",
    );
    await page.getByRole("button", { name: "Close second.trx" }).click();
    await expect(tabs.getByRole("tab")).toHaveCount(1);
    await viewer.expectSelected(42);
  });
  await test.step("several files of several formats at once", async () => {
    const { page } = viewer;
    const folder = SYSTEM.replace(/[^/]*$/, "");
    const files = ["derived_cm3_short.hex", "derived_cm3_short.srec"];
    await drop(
      page,
      await Promise.all(
        files.map(async (name) => ({ name, bytes: await readFile(`${folder}${name}`) })),
      ),
    );
    const tabs = page.getByRole("tablist", { name: "Open traces" });
    await expect(tabs.getByRole("tab")).toHaveText([basename(SYSTEM), ...files]);
  });
  await test.step("the open button opens a file", async () => {
    const { page } = viewer;
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Open a file…" }).click();
    await (await chooser).setFiles(INTERRUPTS);
    await expect(page.getByRole("tab", { name: basename(INTERRUPTS) })).toHaveAttribute(
      "aria-selected",
      "true",
    );
  });
});

test("without open traces, the page offers to open a file", async ({ open }) => {
  const viewer = await open(SYSTEM);
  const { page } = viewer;
  await page.getByRole("button", { name: `Close ${basename(SYSTEM)}` }).click();
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Drop a trace here, or choose a file" }).click();
  await (await chooser).setFiles(SMP);
  await expect(page.getByRole("tab", { name: basename(SMP) })).toBeVisible();
});

test("a file of the command line that is not a trace does not stop the others", async ({
  page,
  open,
}) => {
  const viewer = await open([BROKEN, SYSTEM]);
  await expect(page.getByRole("tab", { name: "cm3_system.trx" })).toBeVisible();
  await expect(page.getByRole("tab", { name: "broken.trx" })).toHaveCount(0);
  expect(viewer.messages).toContain("broken.trx");
});

test("files that are no traces are rejected with a message", async ({ open }) => {
  const viewer = await open(SYSTEM);
  await test.step("a file that is not a trace is rejected with a message", async () => {
    viewer.complaints.expect(REFUSED);
    const { page } = viewer;
    const garbage = Uint8Array.from({ length: 5000 }, (_, at) => (at * 7919) % 251);
    await drop(page, [{ name: "garbage.bin", bytes: garbage }]);
    await expect(page.getByRole("status").filter({ hasText: /\w+ \w+/ })).toBeVisible();
    await expect(page.getByRole("tablist", { name: "Open traces" }).getByRole("tab")).toHaveCount(
      1,
    );
    await viewer.select(7);
    await viewer.press("ArrowRight");
    await viewer.expectSelected(8);
    await drop(page, [{ name: "empty.trx", bytes: new Uint8Array() }]);
    await expect(page.getByRole("tablist", { name: "Open traces" }).getByRole("tab")).toHaveCount(
      1,
    );
    // The next valid file opens.
    await drop(page, [{ name: "good.trx", bytes: await readFile(SMP) }]);
    await expect(page.getByRole("tab", { name: "good.trx" })).toBeVisible();
  });
});
