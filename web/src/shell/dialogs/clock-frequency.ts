/** Parser of clock frequencies. */

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
/**
 * Minimum for a number without a unit, as on the command line: smaller numbers are usually meant as
 * megahertz.
 */
const MIN_BARE_HERTZ = 1000;
/** Maximum plausible frequency in hertz. */
const MAX_HERTZ = 1e12;

/**
 * Parses `25MHz` or `25000000` (frequency), `40ns` (tick length) and `240/us` (tick rate). Returns
 * `null` for an empty text, which means an unknown frequency, and an error message for an invalid
 * one.
 */
export function parseClock(text: string): number | null | string {
  const written = text.trim().toLowerCase();
  if (written === "") return null;
  const read = (pattern: string) => {
    const match = new RegExp(`^${pattern}$`).exec(written);
    const number = Number(match?.[1]?.replaceAll(/[_']/g, ""));
    return match ? { number, unit: match[2] ?? "" } : null;
  };
  const bare = read(NUMBER);
  if (bare && bare.number < MIN_BARE_HERTZ) {
    return `${written} needs a unit: ${written}MHz, ${written}kHz or, for a clock that slow, ${written}Hz.`;
  }
  const frequency = read(String.raw`${NUMBER}\s*([kmg]?)(?:hz)?`);
  if (frequency) return inRange(frequency.number * (SCALES[frequency.unit] ?? Number.NaN));
  const rate = read(String.raw`${NUMBER}\s*/\s*(ns|us|µs|μs|ms|s)`);
  if (rate) return inRange(rate.number / (SECONDS[rate.unit] ?? Number.NaN));
  const period = read(String.raw`${NUMBER}\s*(ns|us|µs|μs|ms|s)`);
  if (period) return inRange(1 / (period.number * (SECONDS[period.unit] ?? Number.NaN)));
  return "Enter a frequency such as 25MHz, a tick length such as 40ns, or a tick rate such as 240/us.";
}

function inRange(hz: number): number | string {
  const rounded = Math.round(hz);
  if (!(hz >= 1)) return "The frequency must be at least 1 Hz.";
  if (rounded > MAX_HERTZ) return "The frequency is too high.";
  return rounded;
}
