/** Theme colours for canvases. */

import { signal } from "@preact/signals";
import type { BarClassName } from "../session/wire";
import type { TraceState } from "../state/trace";

/** Custom properties of the theme by the names of their colours. */
const PROPERTIES = {
  background: "--lane-background",
  backgroundOther: "--lane-background-other",
  heading: "--lane-heading",
  line: "--lane-line",
  grid: "--lane-grid",
  text: "--text",
  textMuted: "--text-muted",
  /** Events without room for an icon. */
  tick: "--lane-tick",
  density: "--lane-density",
  idleEdge: "--lane-idle-edge",
  switch: "--lane-switch",
  wake: "--lane-wake",
  post: "--lane-post",
  /** Background of post names. */
  postName: "--lane-post-name",
  depth: "--lane-depth",
  depthEdge: "--lane-depth-edge",
  bounded: "--lane-bounded",
  unbounded: "--lane-unbounded",
  boundedEdge: "--lane-bounded-edge",
  unboundedEdge: "--lane-unbounded-edge",
  gap: "--lane-gap",
  selected: "--lane-selected",
  cursor: "--lane-cursor",
  range: "--lane-range",
  rangeEdge: "--lane-range-edge",
  hovered: "--lane-hovered",
  bookmark: "--lane-bookmark",
  bookmarkRange: "--lane-bookmark-range",
  markerA: "--marker-a",
  markerB: "--marker-b",
  hit: "--hit",
  accent: "--accent",
  load: "--bar",
  /** Overlay outside the visible interval. */
  veil: "--lane-veil",
} as const;

/** Colours of the theme. */
export interface Palette extends Record<keyof typeof PROPERTIES, string> {
  /** By name of a bar class. */
  lane(name: string): string;
  /** Context colours, used in turn. */
  contexts: readonly string[];
  /** Colours of graphs and intervals, used in turn. */
  graphs: readonly string[];
}

const CONTEXTS = 10;
const GRAPHS = 6;

/** Custom property with the colour of a bar class. */
export function classProperty(name: string): string {
  return `--lane-${name}`;
}

/** Colour of a context for style sheets. */
export function contextStyle({ lanes }: TraceState, context: number): string {
  return lanes.ofContext.value.get(context)?.colour ?? `var(--context-${context % CONTEXTS})`;
}

/** Colours of contexts for canvases. */
export function contextColours(
  { lanes }: TraceState,
  { contexts }: Palette,
): (context: number) => string {
  const own = lanes.ofContext.value;
  return (context) => own.get(context)?.colour ?? contexts[context % contexts.length] ?? "";
}

function read(): Palette {
  const style = getComputedStyle(document.documentElement);
  const context = document.createElement("canvas").getContext("2d");
  const colour = (property: string) => {
    const value = style.getPropertyValue(property).trim() || "#888888";
    if (context === null) return value;
    // A canvas normalises any CSS colour (`red`, `#7ad`) to `#rrggbb`.
    context.fillStyle = value;
    return typeof context.fillStyle === "string" ? context.fillStyle : value;
  };
  return {
    ...(Object.fromEntries(
      Object.entries(PROPERTIES).map(([name, property]) => [name, colour(property)]),
    ) as Record<keyof typeof PROPERTIES, string>),
    lane: (name) => colour(classProperty(name)),
    contexts: Array.from({ length: CONTEXTS }, (_, context) => colour(`--context-${context}`)),
    graphs: Array.from({ length: GRAPHS }, (_, graph) => colour(`--graph-${graph + 1}`)),
  };
}

const changes = signal(0);
let current: Palette | null = null;

/** Palette of the current theme. Reading it subscribes to theme changes. */
export function palette(): Palette {
  void changes.value;
  if (current === null) {
    current = read();
    watch();
  }
  return current;
}

let watching = false;

function watch(): void {
  if (watching) return;
  watching = true;
  new MutationObserver(() => {
    current = null;
    changes.value += 1;
  }).observe(document.documentElement, { attributeFilter: ["data-theme"] });
}

/** Colours of bar classes by code. */
export function classColours(classes: readonly BarClassName[], palette: Palette): string[] {
  const colours: string[] = [];
  for (const { code, name } of classes) colours[code] = palette.lane(name);
  return colours;
}
