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
  return digits.replace(/\B(?=(\d{3})+$)/g, THIN_SPACE);
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

/** Time in the largest unit with a whole part, with three decimals; from a minute on in hours, minutes and seconds. */
export function nanosecondsText(nanoseconds: bigint): string {
  if (nanoseconds < 0n) return `−${nanosecondsText(-nanoseconds)}`;
  const unit = UNITS.find((unit) => nanoseconds >= unit.nanoseconds) ?? {
    name: "ns",
    nanoseconds: 1n,
  };
  if (unit.nanoseconds === 1n) return `${nanoseconds} ns`;
  const minutes = nanoseconds / (60n * SECOND);
  const rest = nanoseconds % (60n * SECOND);
  const hours = minutes >= 60n ? `${countText(minutes / 60n)} h ` : "";
  const before = minutes > 0n ? `${hours}${minutes % 60n} min ` : "";
  const thousandths = ((rest % unit.nanoseconds) * 1000n) / unit.nanoseconds;
  const whole = rest / unit.nanoseconds;
  return `${before}${whole}.${thousandths.toString().padStart(3, "0")} ${unit.name}`;
}

/** `1 234 ticks`. */
export function ticksText(ticks: number): string {
  return plural(Math.round(ticks), "tick");
}

/** A duration or a moment: as time if the clock frequency is known, in ticks otherwise. */
export function durationText(ticks: number, hz: number | null): string {
  return hz === null ? ticksText(ticks) : nanosecondsText(nanosecondsOf(ticks, hz));
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
  return value.toFixed(1);
}

/** Clock frequency for displayed times; `null` if ticks are displayed. */
export function shownClock(trace: { frequencyHz: { value: number | null } }): number | null {
  return settings.showTime.value ? trace.frequencyHz.value : null;
}

const MOMENT =
  /^(?:(\d[\d\s\u202f]*)h\s*)?(?:(\d+)\s*min\s*)?(?:(\d[\d\s\u202f]*)(?:[.,](\d+))?\s*(ticks?|ns|us|µs|μs|ms|s)?)?$/;

/** Parses a text such as `1234`, `12.5 ms`, `3s` or `1 min 20 s` into ticks; `null` if invalid. */
export function parseTicks(text: string, hz: number | null): number | null {
  const parts = MOMENT.exec(text.trim());
  if (parts === null || parts[0] === "") return null;
  const [, hours, minutes, number, decimals = "", unit = "ticks"] = parts;
  const digits = (of = "") => of.replace(/\D/g, "");
  const isLong = hours !== undefined || minutes !== undefined;
  if (unit.startsWith("tick") && number !== undefined) {
    return decimals === "" && !isLong ? Number(digits(number)) : null;
  }
  const name = unit === "us" || unit === "μs" ? "µs" : unit;
  const worth = number === undefined ? 1n : UNITS.find((unit) => unit.name === name)?.nanoseconds;
  if (hz === null || worth === undefined || (isLong && number !== undefined && name !== "s")) {
    return null;
  }
  const scale = 10n ** BigInt(decimals.length);
  const seconds = (BigInt(digits(hours) || 0) * 60n + BigInt(digits(minutes) || 0)) * 60n;
  const rest = BigInt(digits(number) + decimals || 0) * worth;
  return firstTick(seconds * SECOND * scale + rest, scale, hz);
}
