import { expect, it } from "vitest";
import type { ProfileRow } from "../../session/reports";
import { cpuUsers, loadPercent } from "./recording-summary";

const row = (context: string, kind: ProfileRow["kind"], percent: number | null): ProfileRow => ({
  context,
  kind,
  duration: percent ?? 0,
  percent,
});

const ROWS = [
  row("(idle)", "idle", 40),
  row("sensor", "thread", 5),
  row("logger", "thread", 25),
  row("ISR 7", "isr", 15),
  row("mid", "thread", 3),
  row("monitor", "thread", 0),
  row("(unknown)", "unknown", 12),
];

it("does not know the load without time", () => {
  expect(loadPercent([])).toBeNull();
  expect(loadPercent([row("sensor", "thread", null)])).toBeNull();
  expect(loadPercent([row("(idle)", "idle", 0), row("(unknown)", "unknown", 100)])).toBeNull();
});

it("lists the contexts with the most CPU time and sums up the others", () => {
  const { top, others, idle } = cpuUsers(ROWS, 2);
  expect(top.map(({ context }) => context)).toEqual(["logger", "ISR 7"]);
  expect(others).toEqual({ count: 2, percent: 8 });
  expect(idle?.percent).toBe(40);
});
