import { expect, it } from "vitest";
import { fakeTrace } from "../fixture";
import type { ReportDocument } from "../reports/report-document";
import { soundnessText } from "./problems";

const SOUND = "No problems found in the recording.";

function report(subject: string): ReportDocument {
  return {
    findings: [{ weight: "warning", subject, message: "m", event: null }],
  } as unknown as ReportDocument;
}

it("does not report a recording as sound next to a finding that it is incomplete", () => {
  const { overview } = fakeTrace();
  const whole = { ...overview, gaps: [] };
  expect(soundnessText(whole, report("inversion"))).toBe(SOUND);
  for (const subject of ["loss", "filtered", "unfinished-isr"]) {
    expect(soundnessText(whole, report(subject))).toMatch(/incomplete/);
  }
  const gap = { event: 5, time: 1, missing: 3, restart: false };
  expect(soundnessText({ ...whole, gaps: [gap] }, report("inversion"))).toMatch(/incomplete/);
  expect(soundnessText({ ...whole, gaps: [{ ...gap, restart: true }] }, report("inversion"))).toBe(
    SOUND,
  );
  // No verdict before the findings are known.
  expect(soundnessText(whole, null)).not.toBe(SOUND);
});
