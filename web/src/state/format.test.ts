import { describe, expect, it } from "vitest";
import {
  countText,
  durationText,
  frequencyText,
  nanosecondsText,
  parseTicks,
  plural,
  shareText,
  ticksAndTimeText,
} from "./format";

describe("numbers", () => {
  it("have grouped digits", () => {
    expect(countText(0)).toBe("0");
    expect(countText(999)).toBe("999");
    expect(countText(1234567)).toBe("1\u202f234\u202f567");
    expect(countText(-1234)).toBe("-1\u202f234");
    expect(countText(18446744073709551615n)).toBe(
      "18\u202f446\u202f744\u202f073\u202f709\u202f551\u202f615",
    );
  });

  it("agree with the noun", () => {
    expect(plural(1, "event")).toBe("1 event");
    expect(plural(2, "event")).toBe("2 events");
    expect(plural(0, "priority", "priorities")).toBe("0 priorities");
  });
});

describe("times", () => {
  it("use the largest unit with a whole part", () => {
    expect(nanosecondsText(999n)).toBe("999 ns");
    expect(nanosecondsText(1_500n)).toBe("1.500 µs");
    expect(nanosecondsText(301_223_363n)).toBe("301.223 ms");
    expect(nanosecondsText(59_999_999_999n)).toBe("59.999 s");
    expect(nanosecondsText(61_000_000_000n)).toBe("1 min 1.000 s");
    expect(nanosecondsText(3_600_000_000_000n)).toBe("1 h 0 min 0.000 s");
    expect(nanosecondsText(3_680_004_000_000n)).toBe("1 h 1 min 20.004 s");
    expect(nanosecondsText(4_294_967_296_000_000n)).toBe("49 d 17 h 2 min 47.296 s");
    expect(nanosecondsText(86_400_000_000_000n)).toBe("1 d 0 h 0 min 0.000 s");
    expect(nanosecondsText(301_223_363n, 5)).toBe("301.22336 ms");
    expect(nanosecondsText(301_223_363n, 9)).toBe("301.223363 ms");
    expect(nanosecondsText(301_023_363n, 0)).toBe("301 ms");
    expect(nanosecondsText(0n)).toBe("0 ns");
    expect(nanosecondsText(-1_500n)).toBe("−1.500 µs");
  });

  it("fall back to ticks without a clock", () => {
    expect(durationText(1, null)).toBe("1 tick");
    expect(durationText(25, 25_000_000)).toBe("1.000 µs");
    expect(ticksAndTimeText(25, 25_000_000)).toBe("1.000 µs (25 ticks)");
    expect(ticksAndTimeText(25, null)).toBe("25 ticks");
  });

  it("are parsed", () => {
    expect(parseTicks("1234", null)).toBe(1234);
    expect(parseTicks("1\u202f234 ticks", null)).toBe(1234);
    expect(parseTicks("12.5 ms", 25_000_000)).toBe(312_500);
    expect(parseTicks("1us", 25_000_000)).toBe(25);
    expect(parseTicks("60 ns", 25_000_000)).toBe(2);
    expect(parseTicks("1 s", null)).toBeNull();
    expect(parseTicks("1 h 1 min 20.004 s", 1_000)).toBe(3_680_004);
    expect(parseTicks("1 d 1 h", 1_000)).toBe(90_000_000);
    expect(parseTicks("2min", 1_000)).toBe(120_000);
    expect(parseTicks("1 min 5", 1_000)).toBeNull();
    expect(parseTicks("1 s 1 min", 1_000)).toBeNull();
    expect(parseTicks("soon", 1)).toBeNull();
    expect(parseTicks("1.5", 1)).toBeNull();
    expect(parseTicks("", 1)).toBeNull();
  });
});

it("frequencies and shares are short", () => {
  expect(frequencyText(25_000_000)).toBe("25 MHz");
  expect(frequencyText(32_768)).toBe("32.768 kHz");
  expect(frequencyText(10)).toBe("10 Hz");
  expect(shareText(33.333)).toBe("33.3 %");
  expect(shareText(null)).toBe("–");
});
