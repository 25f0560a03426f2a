import { expect, it } from "vitest";
import type { ReportDocument } from "../../session/reports";
import { fakeTrace } from "../fixture";
import { soundnessText } from "./problems";

const SOUND = "No problems found in the recording.";

function report(category: string): ReportDocument {
  return {
    findings: [{ severity: "warning", category, message: "m", event: null }],
  } as unknown as ReportDocument;
}

it("does not report a recording as sound next to a finding that it is incomplete", () => {
  const { overview } = fakeTrace();
  const whole = { ...overview, gaps: [] };
  expect(soundnessText(whole, report("bounded-inversion"))).toBe(SOUND);
  for (const category of ["loss", "filtered", "unfinished-isr"] as const) {
    expect(soundnessText(whole, report(category))).toMatch(/incomplete/);
  }
  const gap = { event: 5, time: 1, missing: 3, restart: false };
  expect(soundnessText({ ...whole, gaps: [gap] }, report("bounded-inversion"))).toMatch(
    /incomplete/,
  );
  expect(
    soundnessText({ ...whole, gaps: [{ ...gap, restart: true }] }, report("bounded-inversion")),
  ).toBe(SOUND);
  // No verdict before the findings are known.
  expect(soundnessText(whole, null)).not.toBe(SOUND);
});
