/**
 * Pictures of the main views, which the book shows. `npm run e2e -- --update-snapshots` or
 * RTOSCOPE_BLESS=1 accepts the current ones; review the changes before.
 */

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { generator } from "./support/server";
import { ACTIVE, CAMERA, CAMERA_PIPELINE, SHORT, SMP, SYSTEM } from "./support/traces";
import { expect, test, type Viewer } from "./support/viewer";

const run = promisify(execFile);

/** Waits until nothing blinks, follows the pointer or moves; then compares. */
async function expectPicture(viewer: Viewer, name: string): Promise<void> {
  const { page, timeline } = viewer;
  await timeline.rested();
  await page.mouse.move(2, 2);
  await viewer.blur();
  await page.evaluate(() => document.fonts.ready);
  await timeline.settled();
  await expect(page).toHaveScreenshot(`${name}.png`);
}

interface View {
  name: string;
  file: string | string[];
  options?: string[];
  at: string;
  size?: { width: number; height: number };
  theme?: "dark";
  /** Does what an address does not, and waits for what arrives late. */
  prepare?: (viewer: Viewer) => Promise<void>;
}

const CLOCK = ["--clock", "25MHz"];
const INVERSION = "trace=0&axis=time&from=4290000&to=4410000&event=1357&side=details";
const POSTS = "trace=0&axis=time&from=4900&to=6300";
const READY_LONG =
  "SELECT context, start_ns / 1e6 AS start_ms, duration_ns / 1e6 AS ready_ms\n" +
  "FROM thread_states\nWHERE state = 'ready' AND duration_ns > 2000000\nORDER BY ready_ms DESC";
const query = (name: string, value: string) => `${name}=${encodeURIComponent(value)}`;

const suspension = async ({ page }: Viewer) =>
  expect(page.getByRole("heading", { name: "thread suspend" })).toBeVisible();

const VIEWS: readonly View[] = [
  { name: "time", file: SYSTEM, options: CLOCK, at: "side=trace" },
  { name: "small", file: SYSTEM, at: "", size: { width: 400, height: 800 } },
  {
    name: "reports",
    file: SYSTEM,
    options: CLOCK,
    at: "",
    async prepare(viewer) {
      const panel = await viewer.panel("Reports");
      await panel.getByRole("combobox", { name: "Report" }).selectOption("CPU time");
      await expect(panel.getByRole("table").first()).toBeVisible();
    },
  },
  {
    name: "search",
    file: SYSTEM,
    options: CLOCK,
    at: `trace=0&axis=time&side=search&${query("search", 'object == "spi (plain)"')}`,
    async prepare({ page }) {
      const hits = page.getByRole("grid", { name: "Search hits" });
      await expect(hits.getByRole("row").nth(5)).toContainText("mutex");
    },
  },
  {
    name: "sequential",
    file: SYSTEM,
    options: CLOCK,
    at: "trace=0&axis=index&from=1340&to=1390&event=1357&side=details&bottom=events",
    prepare: suspension,
  },
  { name: "inversion", file: SYSTEM, options: CLOCK, at: INVERSION, prepare: suspension },
  {
    name: "dark",
    file: SYSTEM,
    options: CLOCK,
    at: `${INVERSION}&bottom=events`,
    theme: "dark",
    prepare: suspension,
  },
  ...(["comparison", "comparison-dark"] as const).map(
    (name): View => ({
      name,
      file: [SYSTEM, SHORT],
      options: CLOCK,
      at: "compare=0.1&side=comparison&bottom=",
      ...(name === "comparison-dark" ? { theme: "dark" } : {}),
      async prepare({ page }) {
        const panel = page.getByRole("tabpanel", { name: "Comparison" });
        await panel.getByRole("searchbox").fill("ui jitter.max");
        await panel.getByRole("table").getByRole("button", { name: "ui", exact: true }).click();
        await expect(panel.getByRole("img", { name: "ui: jitter" })).toBeVisible();
      },
    }),
  ),
  {
    name: "path",
    file: SYSTEM,
    options: CLOCK,
    at: "trace=0&axis=time&from=4200000&to=4450000&event=1384&path=1384&side=path",
    async prepare({ page }) {
      const panel = page.getByRole("tabpanel", { name: "Critical path" });
      await expect(panel.getByRole("table").first()).toBeVisible();
    },
  },
  {
    name: "sql",
    file: SYSTEM,
    options: CLOCK,
    at: `side=trace&bottom=sql&${query("sql", READY_LONG)}`,
    async prepare({ page }) {
      const panel = page.getByRole("tabpanel", { name: "SQL" });
      await panel.getByRole("button", { name: "Run" }).click();
      await expect(panel.getByRole("grid").getByRole("row").nth(1)).toBeVisible();
    },
  },
  { name: "smp", file: SMP, at: "side=trace" },
  {
    name: "active",
    file: ACTIVE,
    at: `${POSTS}&event=230&side=sequence&bottom=events`,
    async prepare({ page }) {
      const diagram = page.getByRole("group", { name: "Sequence diagram" });
      await expect(diagram.locator("[data-picked]").first()).toBeVisible();
    },
  },
  {
    name: "machine",
    file: ACTIVE,
    at: `${POSTS}&event=357&side=machine`,
    async prepare({ page }) {
      const panel = page.getByRole("tabpanel", { name: "State machine" });
      await expect(panel.getByText("s_busy").first()).toBeVisible();
    },
  },
  {
    name: "communication",
    file: CAMERA,
    options: CAMERA_PIPELINE,
    at: "side=communication",
    async prepare({ page }) {
      const graph = page.getByRole("group", { name: "Communication graph" });
      await expect(graph.locator("g.node").first()).toBeVisible();
    },
  },
  {
    name: "messages",
    file: CAMERA,
    options: CAMERA_PIPELINE,
    at: "side=objects",
    async prepare({ page }) {
      const list = page.getByRole("tabpanel", { name: "Objects" });
      for (const queue of ["raw", "decoded"]) {
        await list.getByRole("button", { name: queue, exact: true }).click();
        await list.getByRole("button", { name: "Show messages" }).click();
        const graph = page.getByRole("group", { name: `Graph ${queue}: messages` });
        await expect(graph).toBeVisible();
        await list.getByRole("button", { name: "Back to all objects" }).click();
      }
    },
  },
];

for (const { name, file, options = [], at, size, theme, prepare } of VIEWS) {
  test(`the picture ${name}`, async ({ open, page }) => {
    const viewer = await open(file, { options, at });
    if (size) await viewer.resize(size.width, size.height);
    if (theme) {
      await page.emulateMedia({ colorScheme: theme });
      await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
    }
    await prepare?.(viewer);
    await expectPicture(viewer, name);
  });
}

test("the picture of a dense trace", async ({ open }, info) => {
  const file = info.outputPath("dense.trx");
  await run(generator(), ["threadx", "--events", "1000000", "--threads", "20", "-o", file]);
  const viewer = await open({ name: "dense.trx", bytes: await readFile(file) });
  await expectPicture(viewer, "dense");
});
