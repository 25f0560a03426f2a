import { signal } from "@preact/signals";
import { describe, expect, it } from "vitest";
import { overviewOf } from "../timeline/fixture";
import { applyArrangement, encodeArrangement } from "./lane-arrangement";
import { LaneList } from "./lanes";

const overview = overviewOf(
  ["a", "b", "c", "d"].map((name) => ({ name, priority: 1, events: 1, busyTime: 1 })),
);
const count = overview.lanes.length;
const text = (lanes: LaneList) => encodeArrangement(lanes, overview);
function reopened(lanes: LaneList): LaneList {
  const again = new LaneList(signal(overview));
  applyArrangement(text(lanes), again, overview);
  return again;
}

describe("a lane arrangement", () => {
  it("is empty by default", () => {
    expect(text(new LaneList(signal(overview)))).toBe("");
  });

  it("survives a round trip", () => {
    const lanes = new LaneList(signal(overview));
    lanes.toTop(count - 1);
    lanes.hide(count - 2);
    lanes.togglePinned(count - 3);
    lanes.grouping.value = "priority";
    lanes.filter.value = "a & b=c";
    lanes.routinesShown.value = true;
    const again = reopened(lanes);
    expect(again.order.value).toEqual(lanes.order.value);
    expect(again.hidden.value).toEqual(lanes.hidden.value);
    expect(again.pinned.value).toEqual(lanes.pinned.value);
    expect(again.rows.value).toEqual(lanes.rows.value);
    expect(text(again)).toBe(text(lanes));
  });

  it("keeps the sort order", () => {
    const lanes = new LaneList(signal(overview));
    lanes.sort("name");
    expect(reopened(lanes).sorting.value).toBe("name");
  });

  it("returns to the default for an empty text", () => {
    const lanes = new LaneList(signal(overview));
    lanes.hide(3);
    lanes.sort("events");
    applyArrangement("", lanes, overview);
    expect(text(lanes)).toBe("");
  });

  it("tolerates arbitrary text in the address", () => {
    for (const bad of [
      "order=9-2.x&hide=99999&pin=-1",
      "sort=speed&group=mood",
      "order=0-999999999",
      "hide=1..2",
    ]) {
      const lanes = new LaneList(signal(overview));
      applyArrangement(bad, lanes, overview);
      expect([...lanes.order.value].sort((one, other) => one - other)).toEqual(
        overview.lanes.map((_, lane) => lane),
      );
      expect(lanes.hidden.value.size).toBe(0);
    }
  });
});
