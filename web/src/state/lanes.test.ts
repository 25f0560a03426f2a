import { signal } from "@preact/signals";
import { describe, expect, it } from "vitest";
import { overviewOf, withMachines } from "../timeline/fixture";
import { namePrefix, type TimelineRow } from "./lane-rows";
import { LaneList } from "./lanes";

const THREADS = [
  { name: "sensor_2", priority: 4, events: 5, busyTime: 10 },
  { name: "logger", priority: 20, events: 50, busyTime: 1 },
  { name: "sensor_10", priority: 4, events: 7, busyTime: 30 },
  { name: "Alarm", priority: null, events: 1, busyTime: 20 },
];
const FIRST = 5;

const list = () => new LaneList(signal(overviewOf(THREADS)));
const shown = (lanes: LaneList) =>
  lanes.rows.value.scrolled.map((row: TimelineRow) =>
    row.kind === "group" ? `[${row.title} ${row.count}]` : lanes.lane(row.lane)?.name,
  );
const threads = (lanes: LaneList) => shown(lanes).slice(2);

describe("lanes by default", () => {
  it("are in overview order, with the summary pinned and the service routines hidden", () => {
    const lanes = list();
    expect(lanes.rows.value.pinned).toMatchObject([{ kind: "lane", lane: 0 }]);
    expect(shown(lanes)).toEqual([
      "Interrupts",
      "Initialisation / idle",
      ...THREADS.map(({ name }) => name),
    ]);
  });
});

it("threads with the same name have different titles", () => {
  const lanes = new LaneList(signal(overviewOf([...THREADS, { name: "logger", priority: 3 }])));
  expect([lanes.title(FIRST + 1), lanes.title(FIRST + 4)]).toEqual(["logger", "logger #2"]);
  expect(lanes.contextTitle(7)).toBe("logger #2");
});

describe("moving", () => {
  it("goes before another lane, to the top and to the bottom", () => {
    const lanes = list();
    lanes.sort("name");
    lanes.move(FIRST + 2, FIRST + 1);
    expect(threads(lanes)).toEqual(["Alarm", "sensor_10", "logger", "sensor_2"]);
    expect(lanes.sorting.value).toBeNull();
    lanes.toBottom(FIRST + 3);
    expect(threads(lanes).at(-1)).toBe("Alarm");
    lanes.toTop(FIRST + 3);
    expect(shown(lanes)[0]).toBe("Alarm");
  });

  it("by one skips hidden lanes", () => {
    const lanes = list();
    lanes.hide(FIRST + 1);
    expect(lanes.moveBy(FIRST, 1)).toBe(true);
    expect(threads(lanes)).toEqual(["sensor_10", "sensor_2", "Alarm"]);
    expect(lanes.moveBy(FIRST, -1)).toBe(true);
    expect(threads(lanes)).toEqual(["sensor_2", "sensor_10", "Alarm"]);
    expect(lanes.moveBy(FIRST + 3, 1)).toBe(false);
    expect(lanes.moveBy(0, 1)).toBe(false);
  });

  it("stays within a group", () => {
    const lanes = list();
    lanes.grouping.value = "priority";
    expect(lanes.moveBy(FIRST, 1)).toBe(true);
    expect(threads(lanes)).toEqual([
      "[Priority 4 2]",
      "sensor_10",
      "sensor_2",
      "[Priority 20 1]",
      "logger",
      "[Priority unknown 1]",
      "Alarm",
    ]);
    expect(lanes.moveBy(FIRST, 1)).toBe(false);
  });
});

describe("hiding, pinning, filtering", () => {
  it("keeps pinned lanes above, whatever the filter", () => {
    const lanes = list();
    lanes.togglePinned(FIRST + 1);
    lanes.filter.value = " SENSOR 1";
    expect(shown(lanes)).toEqual(["sensor_10"]);
    expect(lanes.rows.value.pinned).toMatchObject([{ lane: 0 }, { lane: FIRST + 1 }]);
    lanes.togglePinned(FIRST + 1);
    expect(lanes.rows.value.pinned).toHaveLength(1);
  });
});

describe("groups", () => {
  it("share a name prefix; single lanes come last", () => {
    const lanes = list();
    lanes.grouping.value = "name";
    expect(threads(lanes)).toEqual([
      "[sensor 2]",
      "sensor_2",
      "sensor_10",
      "[Others 2]",
      "logger",
      "Alarm",
    ]);
    lanes.toggleGroup("name sensor");
    expect(threads(lanes)).toEqual(["[sensor 2]", "[Others 2]", "logger", "Alarm"]);
    expect(namePrefix("Thread 1")).toBe("Thread");
    expect(namePrefix("42")).toBe("42");
  });
});

describe("routines", () => {
  it("are below the interrupts when they are shown", () => {
    const lanes = list();
    lanes.routinesShown.value = true;
    expect(shown(lanes).slice(0, 4)).toEqual([
      "Interrupts",
      "ISR 1",
      "ISR 2",
      "Initialisation / idle",
    ]);
    lanes.hide(1);
    expect(shown(lanes)[0]).toBe("Initialisation / idle");
  });

  it("follow their parent when it is pinned, and can be pinned alone", () => {
    const lanes = list();
    lanes.routinesShown.value = true;
    lanes.togglePinned(1);
    expect(lanes.rows.value.pinned.map((row) => row.kind === "lane" && row.lane)).toEqual([
      0, 1, 2, 3,
    ]);
    lanes.togglePinned(3);
    expect(lanes.rows.value.pinned.map((row) => row.kind === "lane" && row.lane)).toEqual([
      0, 1, 2, 3,
    ]);
    expect(lanes.isPinned(3)).toBe(true);
  });
});

describe("state machines", () => {
  const machines = () => new LaneList(signal(withMachines(overviewOf(THREADS.slice(0, 3)))));
  const [sensor, logger] = [FIRST, FIRST + 2];

  it("are right below their active objects in any sort order", () => {
    const lanes = machines();
    expect(threads(lanes)).toEqual([
      "sensor_2",
      "sensor_2: states",
      "logger",
      "logger: states",
      "sensor_10",
      "sensor_10: states",
    ]);
    lanes.sort("events");
    expect(threads(lanes).slice(0, 2)).toEqual(["logger", "logger: states"]);
    lanes.move(sensor, logger);
    expect(threads(lanes).slice(0, 3)).toEqual(["sensor_2", "sensor_2: states", "logger"]);
    expect(lanes.moveBy(sensor, 1)).toBe(true);
    expect(threads(lanes).slice(0, 3)).toEqual(["logger", "logger: states", "sensor_2"]);
    expect(lanes.moveBy(sensor + 1, 1)).toBe(false);
  });

  it("are hidden one by one or all at once", () => {
    const lanes = machines();
    lanes.hide(sensor + 1);
    expect(threads(lanes).slice(0, 3)).toEqual(["sensor_2", "logger", "logger: states"]);
    lanes.toggleAttached(logger);
    expect(threads(lanes)).toEqual(["sensor_2", "logger", "sensor_10"]);
    expect(lanes.routinesShown.value).toBe(false);
  });

  it("get a row of their own where their active objects are hidden", () => {
    const lanes = machines();
    lanes.hide(sensor);
    expect(threads(lanes).filter((name) => name?.startsWith("sensor_2"))).toEqual([
      "sensor_2: states",
    ]);
  });

  it("follow their active objects into groups, pins and filter results", () => {
    const lanes = machines();
    lanes.grouping.value = "name";
    expect(threads(lanes).slice(0, 3)).toEqual(["[sensor 2]", "sensor_2", "sensor_2: states"]);
    lanes.grouping.value = "none";
    lanes.togglePinned(logger);
    expect(lanes.rows.value.pinned.map((row) => row.kind === "lane" && row.lane)).toEqual([
      0,
      logger,
      logger + 1,
    ]);
    lanes.filter.value = "sensor_10: states";
    expect(shown(lanes)).toEqual(["sensor_10", "sensor_10: states"]);
  });
});

describe("selected lanes", () => {
  it("are one, some, or all from one to another", () => {
    const lanes = list();
    const selected = () => [...lanes.selected.value].sort((one, other) => one - other);
    lanes.selectBy(6, "only");
    lanes.selectBy(8, "through");
    expect(selected()).toEqual([6, 7, 8]);
    lanes.selectBy(5, "through");
    expect(selected()).toEqual([5, 6, 7, 8]);
    lanes.selectBy(7, "toggle");
    lanes.selectBy(0, "toggle");
    expect(selected()).toEqual([0, 5, 6, 8]);
    // The summary is not a thread.
    expect(lanes.selectedContexts.value).toEqual([3, 4, 6]);
    lanes.selectBy(5, "only");
    expect(selected()).toEqual([5]);
    lanes.selectBy(5, "only");
    expect(selected()).toEqual([]);
  });
});
