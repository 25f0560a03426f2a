// @vitest-environment jsdom

import { render } from "preact";
import { expect, it } from "vitest";
import type { IsrRow } from "../../../session/reports";
import { fakeTrace } from "../../fixture";
import { tableOf } from "./columns";
import { Isr } from "./Isr";

const row = (changes: Partial<IsrRow>): IsrRow => ({
  name: "ISR 7",
  number: 7,
  activations: 3,
  nested: 0,
  unfinished: 0,
  inferred: 0,
  max_nesting: 1,
  cores: [0],
  ticks: 0,
  percent: 0,
  duration: null,
  self_duration: null,
  interarrival: null,
  ...changes,
});

it("shows no time of routines whose time was not recorded", () => {
  const rows = [
    row({ name: "ISR (unnumbered)", number: null }),
    row({ name: "ISR (unnumbered)", number: null, ticks: 25_000, percent: 50 }),
    row({}),
  ];
  const root = document.createElement("div");
  render(<Isr trace={fakeTrace()} rows={rows} />, root);
  const { columns } = tableOf("isr");
  const [ticks, percent] = ["ticks", "percent"].map((key) =>
    columns.filter(({ kind }) => kind !== "distribution").findIndex((one) => one.key === key),
  );
  const lines = [...(root.querySelector("tbody")?.rows ?? [])].slice(0, rows.length);
  const cells = lines.map(({ cells }) =>
    [ticks, percent].map((at) => cells[at ?? -1]?.textContent),
  );
  expect(cells).toEqual([
    ["unknown", "unknown"],
    ["25.000 ms", "50.0 %"],
    ["0 ns", "0.0 %"],
  ]);
});
