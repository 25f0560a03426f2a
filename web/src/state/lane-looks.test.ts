import { signal } from "@preact/signals";
import { describe, expect, it } from "vitest";
import { overviewOf } from "../timeline/fixture";
import { applyArrangement, encodeArrangement } from "./lane-arrangement";
import { laneKey, snappedHeight, titled } from "./lane-looks";
import { LaneList } from "./lanes";

const overview = overviewOf([
  { name: "ui", priority: 3 },
  { name: "rx", priority: 5 },
  { name: "tx", priority: 5 },
]);
const [UI, RX, TX] = [5, 6, 7];

/** Two of these lanes have a look. */
function looked(): LaneList {
  const lanes = new LaneList(signal(overview));
  lanes.change(UI, { name: "Display", colour: "#112233", group: "Human" });
  lanes.change(TX, { height: 80 });
  return lanes;
}

describe("the look of a lane", () => {
  it("is known by lane and by context, and named beside the recorded name", () => {
    const lanes = looked();
    expect(laneKey(overview, overview.lanes[UI] as never)).toBe("thread ui 0x0");
    expect(lanes.title(UI)).toBe("Display (ui)");
    expect(lanes.title(RX)).toBe("rx");
    expect(lanes.contextTitle(3)).toBe("Display (ui)");
    expect(lanes.ofContext.value.get(3)?.colour).toBe("#112233");
    expect(titled("a", undefined)).toBe("a");
  });

  it("goes without a choice, part by part", () => {
    const lanes = looked();
    lanes.change(UI, { name: undefined, colour: undefined });
    expect(lanes.looks.value.map(({ lane }) => lane)).toEqual(["thread tx 0x0", "thread ui 0x0"]);
    expect(lanes.look(UI)).toEqual({ lane: "thread ui 0x0", group: "Human" });
    lanes.change(UI, { group: undefined });
    expect(lanes.looks.value.map(({ lane }) => lane)).toEqual(["thread tx 0x0"]);
  });

  it("groups lanes and filters by either name", () => {
    const lanes = looked();
    expect(lanes.grouping.value).toBe("own");
    const titles = () =>
      lanes.rows.value.scrolled.map((row) => (row.kind === "group" ? row.title : row.lane));
    expect(titles().slice(-5)).toEqual(["Human", UI, "Others", RX, TX]);
    lanes.filter.value = "disp";
    expect(titles()).toEqual(["Human", UI]);
    lanes.change(UI, { group: undefined });
    expect(lanes.grouping.value).toBe("none");
    expect(lanes.groupings.value.map(({ by }) => by)).not.toContain("own");
  });

  it("makes its groups the default, which the address need not name", () => {
    const lanes = looked();
    expect(encodeArrangement(lanes, overview)).toBe("");
    lanes.grouping.value = "none";
    const text = encodeArrangement(lanes, overview);
    expect(text).toBe("group=none");
    applyArrangement("", lanes, overview);
    expect(lanes.grouping.value).toBe("own");
    applyArrangement(text, lanes, overview);
    expect(lanes.grouping.value).toBe("none");
  });

  it("has a height in steps, unless it is near the standard one", () => {
    expect(snappedHeight(34, 30)).toBeUndefined();
    expect(snappedHeight(51, 30)).toBe(52);
    expect(snappedHeight(3, 30)).toBe(18);
    expect(snappedHeight(999, 30)).toBe(400);
  });
});
