import { describe, expect, it } from "vitest";
import type { Arrow } from "../arrows";
import type { Surface } from "../surface/surface";
import type { Frame } from "./frame";
import type { LabelBox } from "./label-box";
import { drawPostNames } from "./posts";

/** Left and top of the name of one arrow; none if it is not drawn. */
function placed(barNames: readonly LabelBox[]): [number, number][] {
  const names: [number, number][] = [];
  const shapes = { rectangle: (x: number, y: number) => names.push([x, y]), clear() {} };
  const surface = { measure: (text: string) => text.length * 6, fill() {}, text() {} };
  const frame = { palette: { text: "", postName: "" }, shapes, width: 1000, height: 400 };
  const curve = [300, 100, 330, 150, 370, 250, 400, 300];
  const arrow = { post: { signal_name: "SG_REQ" }, curve, outside: false };
  drawPostNames(
    surface as unknown as Surface,
    frame as unknown as Frame,
    [arrow as unknown as Arrow],
    barNames,
  );
  return names;
}

describe("names of events on arrows", () => {
  it("are in the middle, or beside a name in a bar there", () => {
    expect(placed([])).toEqual([[329, 194]]);
    expect(placed([{ left: 330, right: 370, top: 194, bottom: 206 }])).toEqual([[319, 171]]);
  });

  it("are absent where names in bars take all the room", () => {
    expect(placed([{ left: 0, right: 1000, top: 0, bottom: 400 }])).toEqual([]);
  });
});
