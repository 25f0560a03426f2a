/** Positions and labels of the ruler's marks. */

import type { Axis } from "../session/wire";
import { tickLength } from "../state/clock";
import { countText, longParts } from "../state/format";
import type { Scale } from "./transform";

export interface RulerMarks {
  major: { x: number; label: string }[];
  minor: number[];
}

/** Minimum space between two labels in pixels. */
const LABEL_GAP = 20;
/** Maximum number of marks. */
const MAX_MARKS = 2000;

/** Smallest of 1, 2, 5, 10, 20, 50 … that is at least `min`. */
export function stepFrom(min: number): number {
  const magnitude = 10 ** Math.floor(Math.log10(min));
  // One power of ten lower, in case the logarithm was rounded.
  for (const factor of [0.5, 1, 2, 5, 10]) {
    const step = factor * magnitude;
    if (step >= min * (1 - 1e-9)) return step;
  }
  return 10 * magnitude;
}

const SECOND = 1e9;

/** Steps of long times in seconds: parts of minutes, hours and days. */
const LONG_STEPS = [60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200];
const DAY = 86_400;

/** Smallest round step in nanoseconds that is at least `min`. */
export function timeStepFrom(min: number): number {
  const seconds = min / SECOND;
  if (seconds <= 50) return stepFrom(min);
  const step = LONG_STEPS.find((one) => one >= seconds * (1 - 1e-9));
  return SECOND * (step ?? DAY * stepFrom(seconds / DAY));
}

/** Number of parts into which minor marks divide a step. */
function partsOf(step: number): number {
  const leading = Math.round(step / 10 ** Math.floor(Math.log10(step) + 1e-9));
  return leading === 2 ? 4 : 5;
}

const UNITS: readonly [number, string][] = [
  [1e9, "s"],
  [1e6, "ms"],
  [1e3, "µs"],
  [1, "ns"],
];

/** A time in nanoseconds, with the precision that marks with this step need. */
export function timeLabel(nanoseconds: number, step: number, unit: [number, string]): string {
  const [worth, name] = unit;
  const decimals = Math.max(0, Math.ceil(Math.log10(worth / step) - 1e-9));
  const sign = nanoseconds < 0 ? "−" : "";
  const text = (Math.abs(nanoseconds) / worth).toFixed(Math.min(decimals, 12));
  const [whole = "0", part] = text.split(".");
  const isLong = worth === SECOND && BigInt(whole) >= 60n;
  const parts = isLong ? longParts(BigInt(whole), Math.max(60, step / SECOND)) : [];
  const rest = isLong ? BigInt(whole) % 60n : BigInt(whole);
  const seconds = `${countText(rest)}${part === undefined ? "" : `.${part}`} ${name}`;
  return sign + (isLong && step >= 60 * SECOND ? parts : [...parts, seconds]).join(" ");
}

/** Unit in which times up to this one are best read. */
export function unitFor(nanoseconds: number): [number, string] {
  const found = UNITS.find(([worth]) => nanoseconds >= worth);
  return found ? [...found] : [1, "ns"];
}

/** Labels for marks at multiples of a step, in the units of the ruler. */
interface RulerUnits {
  /** Ruler units per unit of the axis. */
  perUnit: number;
  minStep: number;
  /** Smallest round step that is at least this one. */
  stepFrom(min: number): number;
  /** Offset of a mark from its number: events are in the middle of their slots. */
  shift: number;
  label(at: number, step: number): string;
}

function rulerUnits(scale: Scale, axis: Axis, hz: number | null): RulerUnits {
  if (axis === "index") {
    return { perUnit: 1, minStep: 1, stepFrom, shift: 0.5, label: (at) => countText(at) };
  }
  if (hz === null)
    return { perUnit: 1, minStep: 1, stepFrom, shift: 0, label: (at) => countText(at) };
  const perUnit = tickLength(hz);
  const unit = unitFor(Math.max(Math.abs(scale.start), Math.abs(scale.end)) * perUnit);
  return {
    perUnit,
    minStep: 1,
    stepFrom: timeStepFrom,
    shift: 0,
    label: (at, step) => timeLabel(at, step, unit),
  };
}

/** Marks of a ruler. `measure` returns the width of a label in pixels. */
export function rulerMarks(
  scale: Scale,
  axis: Axis,
  hz: number | null,
  measure: (label: string) => number,
): RulerMarks {
  const { perUnit, minStep, shift, label, ...units } = rulerUnits(scale, axis, hz);
  const pixels = scale.perUnit / perUnit;
  const from = scale.start * perUnit;
  const to = scale.end * perUnit;
  let step = Math.max(units.stepFrom(40 / pixels), minStep);
  // Finer steps have longer labels: increase the step until they fit.
  for (let attempt = 0; attempt < 12; attempt += 1) {
    const widest = Math.max(measure(label(from, step)), measure(label(to, step)));
    if (step * pixels >= widest + LABEL_GAP) break;
    step = Math.max(units.stepFrom((widest + LABEL_GAP) / pixels), units.stepFrom(step * 1.01));
  }
  const major: RulerMarks["major"] = [];
  const minor: number[] = [];
  // There is nothing before the first event.
  const first = Math.max(Math.floor(from / step), 0);
  const last = Math.min(Math.ceil(to / step), first + MAX_MARKS);
  const parts = step / partsOf(step) >= minStep ? partsOf(step) : 1;
  for (let number = first; number <= last; number += 1) {
    const at = number * step;
    major.push({ x: scale.x(at / perUnit + shift), label: label(at, step) });
    for (let part = 1; part < parts; part += 1) {
      minor.push(scale.x((at + (part * step) / parts) / perUnit + shift));
    }
  }
  return { major, minor };
}
