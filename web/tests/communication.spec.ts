/** The communication graph: counts of the report, links to events, parts of the trace, files. */

import { execFileSync } from "node:child_process";
import type { Locator } from "@playwright/test";
import { reported } from "./support/report";
import { program } from "./support/server";
import { spotOf } from "./support/spot";
import { ACTIVE, SYSTEM } from "./support/traces";
import { expect, test, type Viewer } from "./support/viewer";

async function graphOf(viewer: Viewer): Promise<Locator> {
  const panel = await viewer.panel("Communication");
  const graph = panel.getByRole("group", { name: "Communication graph" });
  await expect(graph.locator("g.node").first()).toBeVisible();
  return graph;
}

/** The texts of edges. */
function labels(graph: Locator): Promise<string[]> {
  return graph
    .locator("g.edge")
    .evaluateAll((edges) =>
      edges.map((edge) =>
        [...edge.querySelectorAll("text")].map((text) => text.textContent).join(" "),
      ),
    );
}

test("the graph is shown whole, has the counts of the report, and follows a range", async ({
  page,
  open,
}) => {
  const viewer = await open(SYSTEM);
  await test.step("the whole graph is shown at first", async () => {
    const graph = await graphOf(viewer);
    const status = await page.getByRole("contentinfo", { name: "Status" }).boundingBox();
    const [place, picture] = await Promise.all([
      graph.boundingBox(),
      graph.locator("svg").boundingBox(),
    ]);
    if (place === null || picture === null || status === null) throw new Error("no graph");
    expect(place.y + place.height).toBeLessThanOrEqual(status.y + 1);
    expect(picture.y + picture.height).toBeLessThanOrEqual(place.y + place.height);
    expect(picture.x + picture.width).toBeLessThanOrEqual(place.x + place.width);
  });
  await test.step("edges have the counts of the report, and lead to its events", async () => {
    const graph = await graphOf(viewer);
    const { communication } = await reported(viewer.file);
    const uses = communication.uses.filter((use) => use.class !== "mutex");
    const expected = uses.flatMap(({ puts, takes }) => [puts, takes]).filter((count) => count > 0);
    const shown = (await labels(graph))
      .filter((label) => label.startsWith("×"))
      .map((label) => Number(/\d+/.exec(label)?.[0]));
    for (const count of new Set(expected)) {
      const among = (list: number[]) => list.filter((one) => one === count).length;
      expect(among(shown), `edges of ${count}`).toBeGreaterThanOrEqual(among(expected));
    }
    const [first] = uses;
    if (first === undefined) throw new Error("no object is used");
    await graph.locator(`g.edge.event-${first.first_event} text`).first().click();
    await viewer.expectSelected(first.first_event);
    // A node leads to the next event of its object.
    const node = graph.locator("g.node", { hasText: first.object }).first();
    await node.locator("text").click();
    await expect.poll(() => spotOf(viewer.page).event).not.toBe(first.first_event);
  });
  await test.step("a selected range limits the graph", async () => {
    const graph = await graphOf(viewer);
    const whole = await labels(graph);
    await viewer.timeline.dragRange(0.3, 0.4);
    const panel = await viewer.panel("Communication");
    await expect(panel).toContainText("in the selected range");
    await expect.poll(async () => (await labels(graph)).length).toBeLessThan(whole.length);
    await panel.getByRole("button", { name: "Show as tables" }).click();
    const reports = viewer.page.getByRole("tabpanel", { name: "Reports" });
    await expect(reports.getByRole("combobox", { name: "Report" })).toHaveValue("communication");
    await expect(reports.getByRole("table").first()).toBeVisible();
  });
});

test("the file is what the command line writes", async ({ open }) => {
  const viewer = await open(ACTIVE);
  await graphOf(viewer);
  const panel = await viewer.panel("Communication");
  const formats = panel.getByRole("combobox", { name: "Save diagram as" });
  const { name, text } = await viewer.saved(() => formats.selectOption("DOT (Graphviz)"));
  expect(name).toBe("nat_short-communication.dot");
  const written = execFileSync(program(), ["diagram", "communication", viewer.file]);
  expect(text).toBe(written.toString());
});
