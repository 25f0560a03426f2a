/** SQL queries in the page, which `rtoscope-sql` answers; it is beside the program under test. */

import { reported } from "./support/report";
import { SYSTEM } from "./support/traces";
import { expect, test, type Viewer } from "./support/viewer";

const CLOCK = { options: ["--clock", "25MHz"] };

const digits = (text: string) => Number(text.replace(/\D/g, ""));

/** Opens the panel and returns its parts. */
async function sqlPanel({ page }: Viewer) {
  await page.keyboard.press("y");
  const panel = page.getByRole("tabpanel", { name: "SQL" });
  const editor = panel.getByRole("textbox", { name: "SQL" });
  await expect(panel.getByRole("combobox", { name: "Canned query" })).toBeEnabled();
  return {
    panel,
    editor,
    status: panel.getByRole("status"),
    rows: panel.getByRole("grid", { name: "Result" }),
    async run(sql: string) {
      await editor.fill(sql);
      await editor.press("Control+Enter");
    },
  };
}

test("a query has the figures of the report, counts all rows, takes parameters, and is cancelled", async ({
  open,
}) => {
  const viewer = await open(SYSTEM, CLOCK);
  await test.step("a result has the figures of the report", async () => {
    const { panel, rows, run, status } = await sqlPanel(viewer);
    await run(
      "SELECT context, duration FROM cpu_time WHERE kind = 'thread' ORDER BY duration DESC",
    );
    await expect(status).toContainText("rows in");
    const report = await reported(viewer.file, []);
    const threads = report.profile
      .filter(({ kind, duration }) => kind === "thread" && duration > 0)
      .toSorted((one, other) => other.duration - one.duration);
    const shown = await rows
      .locator("[role=rowgroup] [role=row]")
      .evaluateAll((all) =>
        all.map((row) =>
          [...row.querySelectorAll("[role=gridcell]")].map((it) => it.textContent ?? ""),
        ),
      );
    expect(shown.length).toBeGreaterThan(3);
    shown.forEach(([context = "", ticks = ""], number) => {
      expect([context, digits(ticks)]).toEqual([
        threads[number]?.context,
        threads[number]?.duration,
      ]);
    });
    // Sorted by name, then saved as shown.
    await rows.getByRole("button", { name: "context" }).click();
    await expect(rows.getByRole("columnheader", { name: "context" })).toHaveAttribute(
      "aria-sort",
      "ascending",
    );
    const { text } = await viewer.saved(() => panel.getByRole("button", { name: "CSV" }).click());
    const lines = text.trim().split("\r\n");
    const names = lines.slice(1).map((line) => line.split(",")[0] ?? "");
    expect(lines[0]).toBe("context,duration");
    expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, "en")));
  });
  await test.step("all rows are counted", async () => {
    await viewer.reset();
    const { run, status, rows } = await sqlPanel(viewer);
    await run("SELECT a.event FROM events a CROSS JOIN generate_series(1, 5)");
    await expect(status).toContainText(/First 10.000 of 15.000 rows/);
    await expect(rows).toHaveAttribute("aria-rowcount", "10001");
  });
  await test.step("a canned query has parameters", async () => {
    await viewer.reset();
    const { panel, status, editor } = await sqlPanel(viewer);
    await panel
      .getByRole("combobox", { name: "Canned query" })
      .selectOption({ value: "longest-ready" });
    await expect(status).toContainText("rows in");
    await expect(editor).toHaveValue(/LIMIT \$n/);
    const count = panel.getByRole("textbox", { name: "$n" });
    await count.fill("3");
    await count.press("Enter");
    await expect(status).toContainText("3 rows in");
  });
  await test.step("a query is cancelled, and the next one runs", async () => {
    await viewer.reset();
    const { panel, run, status } = await sqlPanel(viewer);
    await run("SELECT count(*) FROM generate_series(1, 1000000000000) WHERE value % 7 = 3");
    await panel.getByRole("button", { name: "Cancel" }).click();
    await expect(panel.getByRole("button", { name: "Run" })).toBeVisible();
    await run("SELECT 1 AS one");
    await expect(status).toContainText("1 row in");
  });
});

test("errors point at their place, and names are completed", async ({ open }) => {
  const viewer = await open(SYSTEM, CLOCK);
  await test.step("an error points at its place", async () => {
    const { run, panel, editor } = await sqlPanel(viewer);
    await run("SELECT event,\n  evnt FROM events");
    await expect(panel.locator(".problem")).toContainText("Line 2, column 3:");
    await expect(panel.locator(".problem")).toContainText("Did you mean 'events.event'?");
    await expect(editor).toHaveAttribute("aria-invalid", "true");
    const selected = await editor.evaluate((it: HTMLTextAreaElement) =>
      it.value.slice(it.selectionStart, it.selectionEnd),
    );
    expect(selected).toBe("evnt");
    await run("COPY events TO 'out.csv'");
    await expect(panel.locator(".problem")).toContainText("statements only read");
  });
  await test.step("names are completed", async () => {
    await viewer.reset();
    const { panel, editor } = await sqlPanel(viewer);
    const list = panel.getByRole("listbox", { name: "Completions" });
    const { keyboard } = viewer.page;
    await editor.fill("");
    await editor.pressSequentially("SELECT * FROM thread_st");
    await expect(list.getByRole("option", { selected: true })).toContainText("thread_states");
    await keyboard.press("Tab");
    await expect(editor).toHaveValue("SELECT * FROM thread_states");
    await expect(list).toBeHidden();
    await editor.pressSequentially(" t WHERE t.dur");
    await expect(list.getByRole("option")).toHaveText([/^duration/, /^duration_ns/]);
    await keyboard.press("ArrowDown");
    await keyboard.press("Enter");
    await expect(editor).toHaveValue("SELECT * FROM thread_states t WHERE t.duration_ns");
    await keyboard.press("Control+Space");
    await expect(list).toBeVisible();
    await keyboard.press("Escape");
    await expect(list).toBeHidden();
  });
});

test("a result is a lane, and its rows lead to their places", async ({ open }) => {
  const viewer = await open(SYSTEM, CLOCK);
  const { page } = viewer;
  const { panel, run, status, rows } = await sqlPanel(viewer);
  await run("SELECT context FROM contexts");
  const asLane = panel.getByRole("button", { name: "Show as a lane" });
  await expect(asLane).toBeDisabled();
  const sql =
    "SELECT object, start, duration, first_event FROM inversions ORDER BY duration DESC LIMIT 4";
  await run(sql);
  await expect(status).toContainText("4 rows in");
  await asLane.click();
  const name = page.getByText("Result of SQL");
  await expect(name).toBeVisible();
  const [first] = (await reported(viewer.file, [])).inversions.toSorted(
    (one, other) => other.duration - one.duration,
  );
  await viewer.whileMoving(() => rows.locator("[role=rowgroup] [role=row]").first().click());
  await viewer.expectSelected(first?.first_event ?? undefined);
  // A reload runs the query again and shows the lane.
  const address = page.url();
  await page.reload();
  await viewer.timeline.settled();
  await expect(name).toBeVisible();
  await expect(panel.getByRole("textbox", { name: "SQL" })).toHaveValue(sql);
  await viewer.timeline.rested();
  expect(page.url()).toBe(address);
  await page.getByRole("button", { name: "Remove the lane of the SQL result" }).click();
  await expect(name).toBeHidden();
});

test("a dropped file is queried with the clock of the page", async ({ open }) => {
  const viewer = await open(SYSTEM);
  const { page } = viewer;
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Open a file…" }).click();
  await (await chooser).setFiles(SYSTEM);
  await expect(page.getByRole("tab", { name: "cm3_system.trx" })).toHaveCount(2);
  const { run, rows, panel, status } = await sqlPanel(viewer);
  await run("SELECT span, span_ns FROM recordings");
  await expect(status).toContainText("1 row in");
  const cells = rows.getByRole("gridcell");
  await expect(cells.nth(1)).toHaveText("–");
  await expect(panel.locator(".sql-warning")).toContainText("span_ns is null");
  await panel.getByRole("button", { name: "Tables" }).focus();
  await viewer.press("c");
  const dialog = page.getByRole("dialog", { name: "Clock frequency" });
  await dialog.getByRole("textbox").fill("25MHz");
  await dialog.getByRole("button", { name: "Set" }).click();
  await expect(dialog).toBeHidden();
  await run("SELECT span, span_ns FROM recordings");
  await expect.poll(async () => digits((await cells.allInnerTexts())[1] ?? "")).toBe(379341080);
});

test("a missing program is explained", async ({ open, page }) => {
  const reason = "this needs rtoscope-sql, which is not installed; to install it, run x";
  await page.route("**/api/traces/*/sql", (route) =>
    route.fulfill({ json: { unavailable: reason } }),
  );
  await open(SYSTEM);
  await page.keyboard.press("y");
  await expect(page.getByRole("tabpanel", { name: "SQL" })).toContainText(reason);
});
