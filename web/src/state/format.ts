/** Formats numbers, ticks and times. Times are exact, as in `rtoscope` on the command line. */

import { firstTick, nanosecondsOf } from "./clock";
import { settings } from "./settings";

/** Separates groups of digits without a line break. */
const THIN_SPACE = "\u202f";

const UNITS: readonly { name: string; nanoseconds: bigint }[] = [
  { name: "s", nanoseconds: 1_000_000_000n },
  { name: "ms", nanoseconds: 1_000_000n },
  { name: "µs", nanoseconds: 1_000n },
  { name: "ns", nanoseconds: 1n },
];

/** A whole number with its digits in groups of three. */
export function countText(count: number | bigint): string {
  const digits =
    typeof count === "bigint" ? count.toString() : BigInt(Math.round(count)).toString();
  return grouped(digits);
}

/** The value of an object's parameter: those named "start" are addresses, see crates/trace. */
export function parameterText(name: string, value: number): string {
  return name.endsWith("start") ? `0x${value.toString(16)}` : countText(value);
}

const LONG_NUMBER = /(?<![\w.])\d{4,}(?![\w.])/g;

/** A text of the analysis with its long numbers in groups of three digits. */
export function groupedText(text: string): string {
  return text.replace(LONG_NUMBER, (digits) => countText(BigInt(digits)));
}

/** Order of names: numbers in them count as numbers. */
export const { compare: compareNames } = new Intl.Collator("en", {
  numeric: true,
  sensitivity: "base",
});

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A counted noun: `1 event`, `2 events`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}

/** The items of a sentence: `a, b and c`. */
export function listText(items: readonly string[]): string {
  const last = items.at(-1) ?? "";
  return items.length > 1 ? `${items.slice(0, -1).join(", ")} and ${last}` : last;
}

const SECOND = 1_000_000_000n;

/** Number of decimals of a time. */
const DECIMALS = 3;

/**
 * Time in the largest unit with a whole part, rounded down to that many decimals; from a minute on
 * in days, hours, minutes and seconds.
 */
export function nanosecondsText(nanoseconds: bigint, decimals = DECIMALS): string {
  if (nanoseconds < 0n) return `−${nanosecondsText(-nanoseconds, decimals)}`;
  const unit = UNITS.find((unit) => nanoseconds >= unit.nanoseconds) ?? {
    name: "ns",
    nanoseconds: 1n,
  };
  if (unit.nanoseconds === 1n) return `${nanoseconds} ns`;
  const rest = nanoseconds % (60n * SECOND);
  const fraction = `${rest % unit.nanoseconds}`.padStart(`${unit.nanoseconds}`.length - 1, "0");
  const whole = rest / unit.nanoseconds;
  const shown = decimals === 0 ? "" : `.${fraction.slice(0, decimals)}`;
  return [...longParts(nanoseconds / SECOND, 60), `${whole}${shown} ${unit.name}`].join(" ");
}

/** Units of long times in seconds. */
const LONG_UNITS = [
  { name: "d", seconds: 86_400n },
  { name: "h", seconds: 3_600n },
  { name: "min", seconds: 60n },
] as const;

/** Days, hours and minutes of a time, from the largest that it has to the one of `least` seconds. */
export function longParts(seconds: bigint, least: number): string[] {
  let rest = seconds;
  const parts: string[] = [];
  for (const { name, seconds: worth } of LONG_UNITS) {
    if (rest >= worth || parts.length > 0) parts.push(`${countText(rest / worth)} ${name}`);
    rest %= worth;
    if (worth <= least) break;
  }
  return parts;
}

/** `1 234 ticks`. */
export function ticksText(ticks: number): string {
  return plural(Math.round(ticks), "tick");
}

/** A duration or a moment: as time if the clock frequency is known, in ticks otherwise. */
export function durationText(ticks: number, hz: number | null, decimals = DECIMALS): string {
  return hz === null ? ticksText(ticks) : nanosecondsText(nanosecondsOf(ticks, hz), decimals);
}

/** Ticks and, if the clock frequency is known, time. */
export function ticksAndTimeText(ticks: number, hz: number | null): string {
  const counted = ticksText(ticks);
  return hz === null ? counted : `${nanosecondsText(nanosecondsOf(ticks, hz))} (${counted})`;
}

/** Clock frequency: `25 MHz`, `32.768 kHz`. */
export function frequencyText(hz: number): string {
  const [unit, name] =
    hz >= 1e9 ? [1e9, "GHz"] : hz >= 1e6 ? [1e6, "MHz"] : hz >= 1e3 ? [1e3, "kHz"] : [1, "Hz"];
  return `${Number((hz / unit).toFixed(6))} ${name}`;
}

/** A share in percent, with one decimal as on the command line. */
export function shareText(percent: number | null): string {
  return percent === null ? "–" : `${percent.toFixed(1)} %`;
}

/** A number with a fraction, with one decimal as on the command line. */
export function decimalText(value: number): string {
  return grouped(value.toFixed(1));
}

/** A decimal number with the digits before the point in groups. */
export function grouped(decimal: string): string {
  const [whole = "", ...fraction] = decimal.split(".");
  return [whole.replace(/\B(?=(\d{3})+$)/g, THIN_SPACE), ...fraction].join(".");
}

/** Clock frequency for displayed times; `null` if ticks are displayed. */
export function shownClock(trace: { frequencyHz: { value: number | null } }): number | null {
  return settings.showTime.value ? trace.frequencyHz.value : null;
}

const MOMENT =
  /^(?:(\d[\d\s\u202f]*)d\s*)?(?:(\d[\d\s\u202f]*)h\s*)?(?:(\d+)\s*min\s*)?(?:(\d[\d\s\u202f]*)(?:[.,](\d+))?\s*(ticks?|ns|us|µs|μs|ms|s)?)?$/;

/** Parses a text such as `1234`, `12.5 ms`, `3s` or `1 min 20 s` into ticks; `null` if invalid. */
export function parseTicks(text: string, hz: number | null): number | null {
  const parts = MOMENT.exec(text.trim());
  if (parts === null || parts[0] === "") return null;
  const [, days, hours, minutes, number, decimals = "", unit = "ticks"] = parts;
  const digits = (of = "") => of.replace(/\D/g, "");
  const isLong = [days, hours, minutes].some((part) => part !== undefined);
  if (unit.startsWith("tick") && number !== undefined) {
    return decimals === "" && !isLong ? Number(digits(number)) : null;
  }
  const name = unit === "us" || unit === "μs" ? "µs" : unit;
  const worth = number === undefined ? 1n : UNITS.find((unit) => unit.name === name)?.nanoseconds;
  if (hz === null || worth === undefined || (isLong && number !== undefined && name !== "s")) {
    return null;
  }
  const scale = 10n ** BigInt(decimals.length);
  const allHours = BigInt(digits(days) || 0) * 24n + BigInt(digits(hours) || 0);
  const seconds = (allHours * 60n + BigInt(digits(minutes) || 0)) * 60n;
  const rest = BigInt(digits(number) + decimals || 0) * worth;
  return firstTick(seconds * SECOND * scale + rest, scale, hz);
}
