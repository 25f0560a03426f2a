import { describe, expect, it } from "vitest";
import { machineSnapshotOverview, snapshotOverview } from "./fixture";
import { StableIds } from "./stable-ids";

const threads = (overview: ReturnType<typeof snapshotOverview>) =>
  overview.contexts.flatMap(({ kind, name }, number) =>
    kind === "thread" ? [`${number} ${name}`] : [],
  );

describe("names", () => {
  it("keep their identifiers when a snapshot lists them in another order", () => {
    const names = new StableIds();
    expect(threads(names.adopt(snapshotOverview(["a", "b", "c"])).overview)).toEqual([
      "3 a",
      "4 b",
      "5 c",
    ]);
    const { overview, ids } = names.adopt(snapshotOverview(["c", "a", "d"]));
    expect(threads(overview)).toEqual(["3 a", "4 b", "5 c", "6 d"]);
    expect([3, 4, 5].map((own) => ids.contexts.toStable(own))).toEqual([5, 3, 6]);
    expect(ids.contexts.toLocal(4)).toBeUndefined();
    expect(ids.contexts.toLocal(6)).toBe(5);
  });

  it("stay with lanes, which are empty while their thread is gone", () => {
    const names = new StableIds();
    names.adopt(snapshotOverview(["a", "b"]));
    const { overview, ids } = names.adopt(snapshotOverview(["b"]));
    const lanes = overview.lanes.map((lane) => `${lane.name} ${lane.events}`);
    expect(lanes.slice(-2)).toEqual(["a 0", "b 3"]);
    // The fixed lanes come first, then the lane of the second thread.
    expect(ids.lanes.all).toEqual([0, 1, 2, 3, 4, 6]);
    const lane = overview.lanes[6];
    expect(lane?.kind === "thread" && overview.contexts[lane.context]?.name).toBe("b");
  });

  it("grow only when something new appears", () => {
    const names = new StableIds();
    names.adopt(snapshotOverview(["a", "b"]));
    const { size } = names;
    names.adopt(snapshotOverview(["b", "a"]));
    expect(names.size).toBe(size);
    names.adopt(snapshotOverview(["c"]));
    expect(names.size).toBe(size + 2);
  });

  it("distinguish entries with the same key by their order", () => {
    const names = new StableIds();
    const twice = snapshotOverview(["a", "a"]);
    const { overview, ids } = names.adopt(twice);
    expect(threads(overview)).toEqual(["3 a", "4 a"]);
    expect(names.adopt(twice).ids.contexts.all).toEqual(ids.contexts.all);
  });

  it("give states and their colours stable identifiers", () => {
    const names = new StableIds();
    names.adopt(machineSnapshotOverview(["m"], ["idle", "busy"]));
    const { overview, ids } = names.adopt(
      machineSnapshotOverview(["m"], ["sleeps", "busy", "idle"]),
    );
    const [machine] = overview.machines;
    expect(machine?.states.map(({ name, class: code }) => `${name} ${code}`)).toEqual([
      "idle 28",
      "busy 29",
      "sleeps 30",
    ]);
    const states = ids.machines.get(machine?.context ?? -1);
    expect([0, 1, 2].map((own) => states?.states.toStable(own))).toEqual([2, 1, 0]);
    expect([28, 29, 30].map((code) => states?.classes[code])).toEqual([30, 29, 28]);
  });

  it("keep the list of classes, so that painted strips stay valid", () => {
    const names = new StableIds();
    const first = names.adopt(snapshotOverview(["a"])).overview.classes;
    expect(names.adopt(snapshotOverview(["b"])).overview.classes).toBe(first);
  });

  it("report when most of them are gone", () => {
    const names = new StableIds();
    const snapshot = (turn: number) =>
      snapshotOverview(Array.from({ length: 50 }, (_, at) => `t${turn}-${at}`));
    let turns = 0;
    while (!names.isCrowded(snapshot(turns)) && turns < 1000) {
      names.adopt(snapshot(turns));
      turns += 1;
    }
    expect(turns).toBeGreaterThan(5);
    expect(turns).toBeLessThan(50);
    expect(names.size).toBeLessThan(3000);
  });
});
