import { expect, it } from "vitest";
import { fakeTrace } from "../fixture";
import type { Document } from "../reports/document";
import { soundnessText } from "./concerns";

const SOUND = "Nothing is wrong with the recording.";

function report(subject: string): Document {
  return {
    findings: [{ weight: "warning", subject, message: "m", event: null }],
  } as unknown as Document;
}

it("does not call a recording sound beside a finding that it is incomplete", () => {
  const { overview } = fakeTrace();
  const whole = { ...overview, gaps: [] };
  expect(soundnessText(whole, report("inversion"))).toBe(SOUND);
  for (const subject of ["loss", "filtered", "unfinished-isr"]) {
    expect(soundnessText(whole, report(subject))).toMatch(/not complete/);
  }
  const gap = { event: 5, time: 1, missing: 3, restart: false };
  expect(soundnessText({ ...whole, gaps: [gap] }, report("inversion"))).toMatch(/not complete/);
  expect(soundnessText({ ...whole, gaps: [{ ...gap, restart: true }] }, report("inversion"))).toBe(
    SOUND,
  );
  // Nothing is promised before the findings are known.
  expect(soundnessText(whole, null)).not.toBe(SOUND);
});
