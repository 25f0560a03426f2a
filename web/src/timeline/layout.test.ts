import { signal } from "@preact/signals";
import { describe, expect, it } from "vitest";
import { LaneList } from "../state/lanes";
import { overviewOf } from "./fixture";
import { RowLayout } from "./layout";

const many = overviewOf(
  Array.from({ length: 10_000 }, (_, thread) => ({ name: `t${thread}`, priority: 1 })),
);
const layoutOf = (height = 600) =>
  new RowLayout(many, new LaneList(signal(many)).rows.value, 30, height);

describe("a layout", () => {
  it("returns only visible rows of ten thousand", () => {
    const layout = layoutOf();
    expect(layout.scrolled.height).toBe(10_002 * 30);
    const rows = layout.visible(150_000, 600);
    expect(rows.length).toBeLessThan(25);
    expect(rows[0]).toMatchObject({ pinned: true, y: 0, height: 46, split: true });
    expect(rows[1]).toMatchObject({ pinned: false, y: 46, height: 30, index: 5000 });
  });

  it("finds the row at a height, and the position of a lane", () => {
    const layout = layoutOf();
    const placed = layout.rowAt(46 + 31, 0);
    expect(placed).toMatchObject({ index: 1, y: 76 });
    expect(layout.rowAt(10, 5000)).toMatchObject({ pinned: true });
    expect(layout.rowAt(1e9, 0)).toBeNull();
    expect(layout.ofLane(4, 0)).toMatchObject({ y: 76 });
    expect(layout.ofLane(4, 100)).toMatchObject({ y: -24 });
    // Service routines have no row until they are shown.
    expect(layout.ofLane(2, 0)).toBeNull();
  });

  it("scrolls pinned rows that do not fit", () => {
    const lanes = new LaneList(signal(many));
    for (let lane = 5; lane < 25; lane += 1) lanes.togglePinned(lane);
    const layout = new RowLayout(many, lanes.rows.value, 30, 200);
    expect(layout.pinned.height).toBeLessThanOrEqual(120);
    expect(layout.pinned.rows.length + layout.scrolled.rows.length).toBe(10_003);
  });
});
