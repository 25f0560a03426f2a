import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { contrast, rgb } from "./colour";

/** Colours of a theme by custom property. The dark theme inherits what it does not set. */
function themes(): Record<string, Map<string, string>> {
  const css = readFileSync(new URL("timeline.css", import.meta.url), "utf8");
  const [light = "", dark = ""] = css.split(':root[data-theme="dark"]');
  const read = (text: string) =>
    new Map(
      [...text.matchAll(/(--[\w-]+): (#[0-9a-f]{6});/g)].map(([, name = "", of = ""]) => [
        name,
        of,
      ]),
    );
  return { light: read(light), dark: new Map([...read(light), ...read(dark)]) };
}

/** Colours as they look with complete red, green or blue deficiency: Machado et al., 2009. */
const DEFICIENCIES = [
  [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
];
const NONE = [1, 0, 0, 0, 1, 0, 0, 0, 1];

function times(matrix: readonly number[], [x, y, z]: readonly [number, number, number]) {
  const row = (at: number) =>
    (matrix[at] ?? 0) * x + (matrix[at + 1] ?? 0) * y + (matrix[at + 2] ?? 0) * z;
  return [row(0), row(3), row(6)] as const;
}

/** The colour in OKLab, seen with a deficiency. */
function seen(colour: string, deficiency: readonly number[]) {
  const linear = rgb(colour).map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  const [red, green, blue] = times(deficiency, linear);
  const cones = times(
    [
      0.4122214708, 0.5363325363, 0.0514459929, 0.2119034982, 0.6806995451, 0.1073969566,
      0.0883024619, 0.2817188376, 0.6299787005,
    ],
    [Math.max(red, 0), Math.max(green, 0), Math.max(blue, 0)],
  );
  return times(
    [
      0.2104542553, 0.793617785, -0.0040720468, 1.9779984951, -2.428592205, 0.4505937099,
      0.0259040371, 0.7827717662, -0.808675766,
    ],
    [Math.cbrt(cones[0]), Math.cbrt(cones[1]), Math.cbrt(cones[2])],
  );
}

function minDistance(colours: readonly string[], deficiency: readonly number[]): number {
  const points = colours.map((colour) => seen(colour, deficiency));
  return Math.min(
    ...points.flatMap((one, at) =>
      points
        .slice(at + 1)
        .map((other) => Math.hypot(...one.map((part, of) => part - (other[of] ?? 0)))),
    ),
  );
}

const inTurn = (theme: Map<string, string>, prefix: string) =>
  [...theme].filter(([name]) => name.startsWith(prefix)).map(([, colour]) => colour);

describe.each(Object.entries(themes()))("the %s theme", (_, theme) => {
  it("has states that are easy to see on their background", () => {
    const backgrounds = ["--lane-background", "--lane-background-other"];
    // Idle is pale and has an edge, and unknown is quiet; the others are no states.
    const quiet = ["--lane-idle", "--lane-unknown"];
    const others = [...backgrounds, "--lane-heading", "--lane-line", "--lane-grid", ...quiet];
    const states = [...theme].filter(
      ([name]) => /^--(lane|context)-/.test(name) && !others.includes(name),
    );
    expect(states.length).toBeGreaterThan(50);
    for (const [name, colour] of states) {
      for (const background of backgrounds) {
        const found = contrast(colour, theme.get(background) ?? "");
        expect(found, `${name} on ${background}`).toBeGreaterThanOrEqual(3);
      }
    }
  });

  it("has colours of contexts and states that differ with colour vision deficiencies", () => {
    for (const prefix of ["--context-", "--lane-state-"]) {
      const colours = inTurn(theme, prefix);
      expect(colours.length).toBeGreaterThanOrEqual(10);
      expect(minDistance(colours, NONE), prefix).toBeGreaterThan(0.1);
      for (const deficiency of DEFICIENCIES) {
        expect(minDistance(colours, deficiency), prefix).toBeGreaterThan(0.05);
      }
    }
  });

  it("draws the unknown quietly", () => {
    const background = theme.get("--lane-background") ?? "";
    const unknown = contrast(theme.get("--lane-unknown") ?? "", background);
    expect(unknown).toBeGreaterThan(1.1);
    expect(unknown).toBeLessThan(1.5);
  });

  it("distinguishes missing events from the selected one", () => {
    const lines = [theme.get("--lane-gap") ?? "", theme.get("--lane-selected") ?? ""];
    for (const deficiency of [NONE, ...DEFICIENCIES]) {
      expect(minDistance(lines, deficiency)).toBeGreaterThan(0.15);
    }
  });
});

it("states and contexts have the same colours in both themes", () => {
  const { light, dark } = themes();
  for (const prefix of ["--context-", "--lane-state-"]) {
    expect(inTurn(dark ?? new Map(), prefix)).toEqual(inTurn(light ?? new Map(), prefix));
  }
});
