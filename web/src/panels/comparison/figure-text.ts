/** Figures of a comparison as text, as `rtoscope compare` writes them. */

import type { ComparedFigure, FigureUnit, Verdict } from "../../session/reports";
import { countText, nanosecondsText, ticksText } from "../../state/format";

export const VERDICTS: Record<Verdict, string> = {
  changed: "changed",
  "not-changed": "not changed",
  undecided: "undecided",
};

/** A value with its unit. */
export function valueText(value: number, unit: FigureUnit): string {
  switch (unit) {
    case "nanoseconds":
      return nanosecondsText(BigInt(Math.round(value)));
    case "ticks":
      return ticksText(value);
    case "percent":
      return `${value.toFixed(1)} %`;
    case "per-second":
      return `${value.toFixed(1)}/s`;
    case "amount":
      return Number.isInteger(value) ? countText(value) : String(value);
  }
}

/** The difference in percent of the baseline. */
export function changeText({ percent }: ComparedFigure): string {
  return percent === null ? "from 0" : `${percent > 0 ? "+" : ""}${percent.toFixed(1)} %`;
}

/** How much a figure changed in percent; without a value before, more than all others. */
export function weightOf({ percent, before, after }: ComparedFigure): number {
  if (percent !== null) return Math.abs(percent);
  return before === after ? 0 : Infinity;
}
