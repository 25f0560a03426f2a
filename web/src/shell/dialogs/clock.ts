/** What people write to say how fast a clock ticks. */

const SCALES: Record<string, number> = {
  "": 1,
  k: 1e3,
  m: 1e6,
  g: 1e9,
};
const SECONDS: Record<string, number> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  μs: 1e-6,
  ms: 1e-3,
  s: 1,
};
const NUMBER = String.raw`(\d[\d_']*\.?\d*|\.\d+)`;
/** A number of hertz without a unit is at least this, as on the command line: below, people mean megahertz. */
const MIN_BARE_HERTZ = 1000;
/** The fastest that is believed. */
const FASTEST = 1e12;

/**
 * Reads `25MHz` or `25000000` (ticks in a second), `40ns` (the length of a tick)
 * and `240/us` (ticks in that time); `null` for nothing written, which is an unknown
 * clock. A sentence says what is wrong.
 */
export function readClock(text: string): number | null | string {
  const written = text.trim().toLowerCase();
  if (written === "") return null;
  const read = (pattern: string) => {
    const match = new RegExp(`^${pattern}$`).exec(written);
    const number = Number(match?.[1]?.replaceAll(/[_']/g, ""));
    return match ? { number, unit: match[2] ?? "" } : null;
  };
  const bare = read(NUMBER);
  if (bare && bare.number < MIN_BARE_HERTZ) {
    return `${written} needs a unit: ${written}MHz, ${written}kHz or, if it really ticks so slowly, ${written}Hz.`;
  }
  const frequency = read(String.raw`${NUMBER}\s*([kmg]?)(?:hz)?`);
  if (frequency) return checked(frequency.number * (SCALES[frequency.unit] ?? Number.NaN));
  const rate = read(String.raw`${NUMBER}\s*/\s*(ns|us|µs|μs|ms|s)`);
  if (rate) return checked(rate.number / (SECONDS[rate.unit] ?? Number.NaN));
  const period = read(String.raw`${NUMBER}\s*(ns|us|µs|μs|ms|s)`);
  if (period) return checked(1 / (period.number * (SECONDS[period.unit] ?? Number.NaN)));
  return "Write a frequency such as 25MHz, a tick’s length such as 40ns, or ticks such as 240/us.";
}

function checked(hz: number): number | string {
  const rounded = Math.round(hz);
  if (!(hz >= 1)) return "A clock ticks at least once in a second here.";
  if (rounded > FASTEST) return "No clock ticks that fast.";
  return rounded;
}
