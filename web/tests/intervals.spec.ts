/** User-defined intervals: figures, lane and table are those of the command line. */

import { type Reports, reported } from "./support/report";
import { SYSTEM } from "./support/traces";
import { expect, test, type Viewer } from "./support/viewer";

const FROM = 'kind == "thread resume"';
const TO = 'kind == "thread suspend"';

const digits = (text: string) => Number(text.replace(/\D/g, ""));

async function measure({ page }: Viewer, from: string, to: string, by = ""): Promise<void> {
  const form = page.getByRole("form", { name: "New intervals" });
  await form.getByLabel("From").fill(from);
  await form.getByLabel("To the next").fill(to);
  await form.getByLabel("With the same").fill(by);
  await form.getByRole("button", { name: "Measure" }).click();
}

async function expected(
  viewer: Viewer,
  declaration: string,
): Promise<NonNullable<Reports["intervals"]>[number]> {
  const { intervals = [] } = await reported(viewer.file, ["--interval", declaration]);
  const [row] = intervals;
  if (row === undefined) throw new Error("no intervals are reported");
  return row;
}

test("figures are those of the report, and a click zooms to the longest", async ({ open }) => {
  const viewer = await open(SYSTEM);
  const { page, timeline } = viewer;
  await viewer.press("Shift+d");
  await measure(viewer, FROM, TO, "object");
  const name = `${FROM} -> ${TO} [by object]`;
  const figures = page.getByLabel(`Intervals of ${name}`, { exact: true });
  await expect(figures).toBeVisible();
  const row = await expected(viewer, name);
  const { duration } = row;
  if (duration === null) throw new Error("no durations");
  const figure = async (title: string) =>
    digits(await figures.locator(`dt:text-is("${title}") + dd`).innerText());
  expect(await figure("Intervals")).toBe(row.intervals);
  expect(await figure("P95")).toBe(row.p95);
  const durations = page.getByRole("table", { name: `Durations: Intervals of ${name}` });
  const cells = await durations.locator("tbody td").allInnerTexts();
  const { max, p99, p90, p50, min, count } = duration;
  expect(cells.map(digits).filter((_, at) => at > 0 && at !== 5)).toEqual([
    max,
    p99,
    p90,
    p50,
    min,
    count,
  ]);
  await expect(page.getByRole("img", { name: `Duration of Intervals of ${name}` })).toBeVisible();

  const [longest] = row.longest;
  if (longest === undefined) throw new Error("no interval is listed");
  const table = page.getByRole("table", { name: "Longest" });
  await viewer.whileMoving(() => table.locator("tbody td:nth-child(4) button").first().click());
  await viewer.expectSelected(longest.event);
  const at = new URLSearchParams(new URL(page.url()).hash.slice(1));
  const [from, to] = [Number(at.get("from")), Number(at.get("to"))];
  expect(from).toBeLessThanOrEqual(longest.start);
  expect(to).toBeGreaterThanOrEqual(longest.start + longest.duration);
  expect(to - from).toBeLessThan(2 * longest.duration + 4);

  // The lane has a bar of this length.
  await expect(page.locator(".lane-name.intervals")).toHaveText(name);
  const lane = await page.locator(".lane-name.intervals").boundingBox();
  const box = await timeline.box();
  if (lane === null) throw new Error("there is no lane");
  await page.mouse.move(box.x + box.width / 2, lane.y + lane.height / 2);
  const tooltip = page.getByRole("tooltip");
  await expect(tooltip).toContainText(name);
  expect(digits((await tooltip.locator('dt:text-is("Duration") + dd').innerText()) ?? "")).toBe(
    longest.duration,
  );
});

test("intervals are kept over a reload, explained if wrong, and taken from a range", async ({
  open,
  complaints,
}) => {
  const viewer = await open(SYSTEM);
  await test.step("a reload restores the intervals, and removing them empties the panel", async () => {
    const { page } = viewer;
    await viewer.press("Shift+d");
    await measure(viewer, FROM, TO);
    await expect(page.locator(".lane-name.intervals")).toHaveCount(1);
    await measure(viewer, "mutex", "queue");
    await expect(page.locator(".lane-name.intervals")).toHaveCount(2);
    await viewer.timeline.rested();
    await viewer.reload();
    await expect(page.locator(".lane-name.intervals")).toHaveText([
      `${FROM} -> ${TO}`,
      "mutex -> queue",
    ]);
    await page.getByRole("button", { name: "Remove mutex -> queue" }).click();
    await expect(page.locator(".lane-name.intervals")).toHaveCount(1);
    await page.getByRole("button", { name: /^Remove kind/ }).click();
    await expect(page.getByText("An interval lasts from an event")).toBeVisible();
  });
  await test.step("a wrong filter is explained beside the form", async () => {
    complaints.expect(/status of 4\d\d/);
    await viewer.reset("side=intervals");
    const { page } = viewer;
    await measure(viewer, "contxt == idle", TO);
    await expect(page.getByRole("alert")).toContainText("no field is called `contxt`");
    await expect(page.getByLabel("From")).toHaveAttribute("aria-invalid", "true");
    await expect(page.locator(".lane-name.intervals")).toHaveCount(0);
  });
  await test.step("the ends of a range become filters", async () => {
    await viewer.reset("side=intervals&axis=index&from=100&to=140");
    const { page, timeline } = viewer;
    const box = await timeline.box();
    const y = box.y + box.height - 10;
    await page.mouse.move(box.x + box.width * 0.25, y);
    await page.keyboard.down("Shift");
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.75, y, { steps: 4 });
    await page.mouse.up();
    await page.keyboard.up("Shift");
    await viewer.press("Shift+d");
    await page.getByRole("button", { name: "Take from range" }).click();
    await expect(page.getByLabel("From")).toHaveValue(/^kind == /);
    await expect(page.getByLabel("To the next")).toHaveValue(/^kind == /);
  });
});
