import { expect, it } from "vitest";
import type { ItemVisit } from "../../session/wire";
import { itemPathParts } from "./item-path";

const moment = (time: number) => ({ event: time / 10, time });

const PATH: ItemVisit[] = [
  { lane: 1, arrived: moment(100), received: moment(100), left: moment(100) },
  { lane: 2, arrived: moment(100), received: moment(200), left: moment(300) },
  { lane: 3, arrived: moment(300), received: null, left: null },
];

it("stays in each stage and leads to the next one", () => {
  const parts = itemPathParts(PATH, { axis: "time", x: (at) => at, y: (lane) => lane * 10 });
  expect(parts).toEqual([
    { kind: "arrow", from: [100, 10], to: [100, 20] },
    { kind: "stay", from: [100, 20], to: [300, 20] },
    { kind: "arrow", from: [300, 20], to: [300, 30] },
  ]);
});

it("skips stages without a row, and counts events in the sequential view", () => {
  const y = (lane: number) => (lane === 2 ? null : lane * 10);
  const parts = itemPathParts(PATH, { axis: "index", x: (at) => at, y });
  expect(parts).toEqual([{ kind: "arrow", from: [10.5, 10], to: [30.5, 30] }]);
});
