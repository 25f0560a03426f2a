/** The critical path of an event, which is that of `rtoscope critical-path`. */

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Locator } from "@playwright/test";
import type { CriticalPathReport } from "../src/session/reports";
import { program } from "./support/server";
import { ACTIVE, SYSTEM } from "./support/traces";
import { expect, test, type Viewer } from "./support/viewer";

const run = promisify(execFile);

/** The event after the wait of an unbounded inversion. */
const AFTER_INVERSION = 1384;

async function reportedPath(
  file: string,
  event: number,
  options: readonly string[] = [],
): Promise<CriticalPathReport> {
  const command = ["critical-path", "--format", "json", "--event", String(event), ...options, file];
  const { stdout } = await run(program(), command, { maxBuffer: 64 << 20 });
  return JSON.parse(stdout) as CriticalPathReport;
}

const digits = (text: string | null) => Number((text ?? "").replace(/\D/g, ""));

const panelOf = ({ page }: Viewer): Locator =>
  page.getByRole("tabpanel", { name: "Critical path" });

/** Duration, context and cause of each segment. */
function segments(panel: Locator): Promise<[number, string, string][]> {
  return panel.getByRole("table", { name: "Segments" }).evaluate((table) =>
    [...table.querySelectorAll("tbody tr")].map((row) => {
      const [, ticks, context, cause] = [...row.querySelectorAll("td")].map(
        (cell) => cell.firstChild?.textContent ?? "",
      );
      return [Number((ticks ?? "").replace(/\D/g, "")), context ?? "", cause ?? ""];
    }),
  );
}

async function expectPath(viewer: Viewer, path: CriticalPathReport): Promise<void> {
  const panel = panelOf(viewer);
  await expect(panel.getByTestId("path")).toContainText(path.origin_text);
  const rows = path.segments.slice(0, 200);
  await expect
    .poll(() => segments(panel))
    .toEqual(rows.map(({ duration, context, cause }) => [duration, context, cause]));
  const sum = path.segments.reduce((total, { duration }) => total + duration, 0);
  expect(sum).toBe(path.duration);
}

test("the path of the selected event is that of the command line, and is drawn over the lanes", async ({
  open,
}) => {
  const viewer = await open(SYSTEM);
  await test.step("the path of the selected event is that of the command line", async () => {
    await viewer.select(AFTER_INVERSION);
    await viewer.press("x");
    const path = await reportedPath(viewer.file, AFTER_INVERSION);
    expect(path.segments.some(({ blocks }) => blocks?.includes("spi (plain)"))).toBe(true);
    await expectPath(viewer, path);
    const contexts = panelOf(viewer).getByRole("table", { name: "Time by context" });
    await expect(contexts.getByRole("row").nth(1)).toContainText(path.contexts[0]?.context ?? "");

    // Beyond the first cause.
    await panelOf(viewer).getByLabel("Beyond the first cause").check();
    await expectPath(viewer, await reportedPath(viewer.file, AFTER_INVERSION, ["--from", "0"]));
  });
  await test.step("a link selects its event, the path stays, and the address keeps it", async () => {
    await viewer.reset();
    const { page } = viewer;
    await viewer.select(AFTER_INVERSION);
    await page.getByRole("button", { name: "Critical path of the selected event" }).click();
    const path = await reportedPath(viewer.file, AFTER_INVERSION);
    await expectPath(viewer, path);
    const panel = panelOf(viewer);
    await panel
      .getByRole("button", { name: /^resumes/ })
      .first()
      .click();
    const resumption = path.segments.find(({ resumes }) => resumes !== null)?.resumes;
    await expect(page).toHaveURL(new RegExp(`event=${resumption?.event}&`));
    await expectPath(viewer, path);

    await viewer.reload();
    await expectPath(viewer, path);
    const other = panel.getByRole("button", { name: /^Path of event/ });
    expect(digits(await other.textContent())).toBe(resumption?.event);
    await other.click();
    await expectPath(viewer, await reportedPath(viewer.file, resumption?.event ?? 0));
    await panel.getByRole("button", { name: "Clear" }).click();
    await expect(panel).toContainText("Select an event");
    await expect(page).not.toHaveURL(/path=\d/);
  });
  await test.step("the path is drawn over the lanes while its panel is open", async () => {
    await viewer.reset(`event=${AFTER_INVERSION}&side=details`);
    await viewer.press("x");
    const path = await reportedPath(viewer.file, AFTER_INVERSION);
    await expectPath(viewer, path);
    await panelOf(viewer).getByRole("button", { name: "Zoom to the path" }).click();
    await viewer.timeline.settled();
    const overlay = viewer.page.locator("canvas").last();
    const withPath = await overlay.screenshot();
    await panelOf(viewer).getByRole("button", { name: "Clear" }).click();
    await viewer.timeline.settled();
    expect((await overlay.screenshot()).equals(withPath)).toBe(false);
  });
});

test("the path of an active object goes from step to post", async ({ open }) => {
  const viewer = await open(ACTIVE);
  await viewer.select(333);
  await viewer.press("x");
  const path = await reportedPath(viewer.file, 333);
  expect(path.segments.some(({ cause }) => cause === "the event was queued")).toBe(true);
  await expect(panelOf(viewer).getByTestId("path")).toContainText(path.origin_text);
});
