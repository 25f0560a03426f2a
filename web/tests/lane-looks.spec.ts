/** Own names, colours, heights and groups of lanes, which the notes of the trace keep. */

import type { LaneLook } from "../src/session/wire";
import { SYSTEM } from "./support/traces";
import { expect, test, type Viewer } from "./support/viewer";

const saved = async (viewer: Viewer): Promise<LaneLook[]> =>
  ((await viewer.notes()).lanes as LaneLook[] | undefined) ?? [];

const dialog = ({ page }: Viewer, lane: string) =>
  page.getByRole("dialog", { name: `Lane ${lane}` });

async function heightOf(viewer: Viewer, lane: string): Promise<number> {
  return (await viewer.timeline.row(lane).boundingBox())?.height ?? 0;
}

/** Drags the lower edge of a lane's name. */
async function dragEdge(viewer: Viewer, lane: string, by: number): Promise<void> {
  const { page, timeline } = viewer;
  const box = await timeline.row(lane).boundingBox();
  if (!box) throw new Error(`${lane} is not shown`);
  const [x, y] = [box.x + 80, box.y + box.height - 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y + by, { steps: 5 });
  await page.mouse.up();
}

test("a lane gets a name, a colour, a height and a group, which outlive the program", async ({
  open,
}) => {
  const viewer = await open(SYSTEM);
  const { page, timeline } = viewer;
  const { contexts } = await viewer.overview();
  const key = `thread ui ${contexts.find(({ name }) => name === "ui")?.address}`;

  await test.step("by a double click", async () => {
    await timeline.row("ui").dblclick();
    const form = dialog(viewer, "ui");
    await form.getByRole("textbox", { name: "Name" }).fill("Display");
    await form.getByRole("button", { name: "Colour 6" }).click();
    await form.getByRole("combobox", { name: "Group" }).fill("Human");
    await form.getByRole("button", { name: "Save" }).click();
    await expect(form).toBeHidden();
    await expect(timeline.row("Display (ui)")).toHaveText(/^Display ui/);
    const look = { lane: key, name: "Display", colour: "#c078c0", group: "Human" };
    await expect.poll(() => saved(viewer)).toEqual([look]);
  });

  await test.step("the colour is that of its bars and of its share of the CPU load", async () => {
    await timeline.settled();
    const [picture, host] = [await timeline.picture(), await timeline.box()];
    const [lane, summary] = await Promise.all(
      ["Display (ui)", "Summary"].map((name) => timeline.row(name).boundingBox()),
    );
    if (!lane || !summary) throw new Error("the lanes are not shown");
    const isColoured = (top: number, bottom: number) =>
      Array.from({ length: picture.width }, (_, x) => x).some((x) =>
        picture.has("--context-5", x, top - host.y, bottom - host.y),
      );
    expect(isColoured(lane.y, lane.y + lane.height)).toBe(true);
    // The load is above the lanes.
    expect(isColoured(host.y, summary.y)).toBe(true);
  });

  await test.step("the group is above the others, and either name finds the lane", async () => {
    const names = await timeline.rowNames();
    const at = names.indexOf("Human, 1 lane");
    expect(names[at + 1]).toBe("Display (ui)");
    expect(names[at + 2]).toMatch(/^Others, \d+ lanes$/);
    const filter = page.getByRole("searchbox", { name: "Filter lanes by name" });
    for (const word of ["displ", "ui"]) {
      await filter.fill(word);
      await expect.poll(() => timeline.rowNames()).toContain("Display (ui)");
      await expect.poll(() => timeline.rowNames()).not.toContain("logger");
    }
    await filter.press("Escape");
  });

  await test.step("the lower edge is dragged, and snaps", async () => {
    const standard = await heightOf(viewer, "sensor");
    await dragEdge(viewer, "sensor", 41);
    await expect.poll(async () => (await heightOf(viewer, "sensor")) % 4).toBe(0);
    expect(await heightOf(viewer, "sensor")).toBeGreaterThan(standard + 36);
    expect(await heightOf(viewer, "logger")).toBe(standard);
    await expect.poll(async () => (await saved(viewer)).length).toBe(2);
    await dragEdge(viewer, "sensor", standard + 3 - (await heightOf(viewer, "sensor")));
    await expect.poll(() => heightOf(viewer, "sensor")).toBe(standard);
    await expect.poll(async () => (await saved(viewer)).length).toBe(1);
  });

  await test.step("after a restart, and until it is reset", async () => {
    await viewer.restart();
    await expect(timeline.row("Display (ui)")).toBeVisible();
    await expect(page.getByRole("combobox", { name: "Group lanes" })).toHaveValue("own");
    await timeline.row("Display (ui)").click({ button: "right" });
    const menu = page.getByRole("menu", { name: "Lane Display (ui)" });
    await menu.getByRole("menuitem", { name: "Reset name, colour, height and group" }).click();
    await expect(timeline.row("ui")).toHaveText(/^ui/);
    await expect(page.getByRole("combobox", { name: "Group lanes" })).toHaveValue("none");
    await expect.poll(() => saved(viewer)).toEqual([]);
  });
});
