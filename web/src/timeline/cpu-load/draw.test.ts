import { expect, it } from "vitest";
import type { Frame } from "../draw/frame";
import type { PlacedRow } from "../layout";
import { Shapes } from "../surface/shapes";
import type { Surface } from "../surface/surface";
import { drawCpuLoads } from "./draw";

/** Colours of the bands of a thread and of the other contexts. */
function bands(selectedLoad: string | null): string[] {
  const band = { address: null, events: 0, lengths: [4], ticks: 4 };
  const load = {
    positions: [0, 10],
    cores: 1,
    contexts: [
      { ...band, kind: "thread", name: "one", context: 3 },
      { ...band, kind: "other", name: "other", context: null },
    ],
  };
  const frame = {
    scale: { x: (at: number) => at },
    ratio: 1,
    width: 10,
    shapes: new Shapes(),
    palette: { line: "line", load: "#5b93cc", lane: (name: string) => name },
    contextColour: () => "#3090fc",
    cpuLoad: () => load,
    selectedLoad,
  };
  const colours: string[] = [];
  const surface = { fill: (colour: string) => colours.push(colour) };
  const row = { row: { kind: "load", core: null, expanded: null }, y: 0, height: 40 };
  drawCpuLoads(surface as unknown as Surface, frame as unknown as Frame, [row as PlacedRow]);
  return colours.slice(1);
}

it("load never looks like idle", () => {
  expect(bands(null)).toEqual(["#3090fc", "#5b93cc"]);
  expect(bands("thread 3")).toEqual(["#3090fc", "rgb(91 147 204 / 35%)"]);
});
