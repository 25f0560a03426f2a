import { expect, it } from "vitest";
import { parseClock } from "./clock-frequency";

it.each([
  ["25MHz", 25_000_000],
  ["25 mhz", 25_000_000],
  ["25M", 25_000_000],
  ["25000000", 25_000_000],
  ["25_000_000 Hz", 25_000_000],
  ["32.768kHz", 32_768],
  ["1GHz", 1e9],
  ["40ns", 25_000_000],
  ["1us", 1_000_000],
  ["0.5 µs", 2_000_000],
  ["1ms", 1000],
  ["240/us", 240_000_000],
  ["240 / µs", 240_000_000],
  ["1000/s", 1000],
  ["25Hz", 25],
  ["1000", 1000],
  [".5MHz", 500_000],
])("parses %s", (text, hz) => {
  expect(parseClock(text)).toBe(hz);
});

it.each(["25", "0.5", "999"])("rejects %s without a unit", (text) => {
  expect(parseClock(text)).toBe(
    `${text} needs a unit: ${text}MHz, ${text}kHz or, for a clock that slow, ${text}Hz.`,
  );
});

it("reads empty text as unknown", () => {
  expect(parseClock("")).toBeNull();
  expect(parseClock("  ")).toBeNull();
});

it.each([
  "0",
  "0Hz",
  "0ns",
  "-5MHz",
  "25 parsecs",
  "MHz",
  "1e9",
  "25MHz 3",
  "0/us",
  "99999GHz",
  "2s",
  "1..5MHz",
])("explains the problem with %s", (text) => {
  expect(typeof parseClock(text)).toBe("string");
});
