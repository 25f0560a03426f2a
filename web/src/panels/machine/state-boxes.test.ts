// @vitest-environment jsdom

import { describe, expect, it } from "vitest";
import type { StateMachine } from "../../session/wire";
import { stateBoxes } from "./state-boxes";
import { stateAt } from "./useMachineProbe";

const machineOf = (...names: string[]): StateMachine => ({
  context: 3,
  states: names.map((name, number) => ({
    object: null,
    name,
    class: 26 + (number % 12),
    visits: 1,
    residency: 5,
    share: null,
  })),
});

const svg = (boxes: string) =>
  new DOMParser().parseFromString(
    `<svg xmlns="http://www.w3.org/2000/svg"><g class="graph">${boxes}</g></svg>`,
    "image/svg+xml",
  ).documentElement;
const box = (id: string, title: string, kind = "node") =>
  `<g id="${id}" class="${kind}"><text>${title}</text><text>12 %</text></g>`;
const ids = (found: Map<number, Element>) => [...found].map(([number, { id }]) => [number, id]);

describe("the box of a state", () => {
  it("has the state's name in its first line", () => {
    const picture = svg(box("a", "idle") + box("b", "busy", "cluster") + box("c", "12 %"));
    expect(ids(stateBoxes(picture, machineOf("busy", "idle", "gone")))).toEqual([
      [0, "b"],
      [1, "a"],
    ]);
  });

  it("is different for each state of the same name", () => {
    const picture = svg(box("a", "idle") + box("b", "idle"));
    expect(ids(stateBoxes(picture, machineOf("idle", "idle", "idle")))).toEqual([
      [0, "a"],
      [1, "b"],
    ]);
  });

  it("is found by the prefix of a truncated name", () => {
    const picture = svg(box("a", "waiting_for_something"));
    expect(ids(stateBoxes(picture, machineOf("waiting_…")))).toEqual([[0, "a"]]);
    expect(ids(stateBoxes(picture, machineOf("waiting_")))).toEqual([]);
  });
});

describe("the state at an event", () => {
  it("is the one with the name and class of the probe", () => {
    const machine = machineOf("idle", "busy");
    expect(stateAt(machine, { class: 27, text: "in state busy" })).toBe(1);
    expect(stateAt(machine, { class: 26, text: "in state busy" })).toBeNull();
    expect(stateAt(machine, { class: 1, text: "not known" })).toBeNull();
    expect(stateAt(machine, null)).toBeNull();
    expect(stateAt(undefined, { class: 26, text: "in state idle" })).toBeNull();
  });
});
