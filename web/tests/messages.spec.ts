/** The messages of an object as bars: the longest is that of the report, and a click selects it. */

import { reported } from "./support/report";
import { CAMERA } from "./support/traces";
import { expect, test } from "./support/viewer";

const OPTIONS = ["--input-format", "threadx"];
const digits = (text: string) => Number(text.replace(/\D/g, ""));

test("the longest message of a queue is shown from its put to its take", async ({ open }) => {
  const viewer = await open(CAMERA, { options: OPTIONS });
  const { page } = viewer;
  const { objects } = await reported(viewer.file, OPTIONS);
  const transfer = objects.find(({ object }) => object === "raw")?.transfer;
  if (!transfer) throw new Error("no transfers");
  const list = await viewer.panel("Objects");
  await list.getByRole("button", { name: "raw", exact: true }).click();
  await list.getByRole("button", { name: "Show messages" }).click();

  const graph = page.getByRole("group", { name: "Graph raw: messages" });
  const link = graph.locator(".graph-class .link");
  await expect(link).toHaveText(/ticks$/);
  expect(digits(await link.innerText())).toBe(transfer.max);

  // Its bar is between the times of its events, in the lowest row.
  const [end, { span }] = await Promise.all([
    viewer.query({ query: "locate", axis: "index", at: transfer.event }),
    viewer.overview(),
  ]);
  const box = await graph.locator(".graph-plot").boundingBox();
  if (box === null || end === null) throw new Error("there is no plot");
  const x = box.x + ((end.time - transfer.max / 2) / span) * box.width;
  await page.mouse.move(x, box.y + box.height - 8);
  const text = graph.locator(".graph-value");
  await expect(text).toContainText(`taken by decoder at event ${transfer.event}`);
  await expect(text).toContainText("put by interrupt at event");
  const [, event] = /at event (\d+), taken/.exec(await text.innerText()) ?? [];
  await page.mouse.click(x, box.y + box.height - 8);
  await viewer.expectSelected(Number(event));
});
