/** Theme colours for canvases. */

import { signal } from "@preact/signals";
import type { BarClassName } from "../session/wire";

/** Colours by name; each is the CSS custom property `--lane-…` or `--…` of the theme. */
export interface Palette {
  background: string;
  backgroundOther: string;
  heading: string;
  line: string;
  grid: string;
  text: string;
  textMuted: string;
  /** Events without room for an icon. */
  tick: string;
  density: string;
  idleEdge: string;
  switch: string;
  wake: string;
  post: string;
  postFront: string;
  /** Background of post names. */
  postName: string;
  depth: string;
  depthEdge: string;
  bounded: string;
  unbounded: string;
  boundedEdge: string;
  unboundedEdge: string;
  gap: string;
  selected: string;
  cursor: string;
  range: string;
  rangeEdge: string;
  hovered: string;
  bookmark: string;
  bookmarkRange: string;
  markerA: string;
  markerB: string;
  hit: string;
  accent: string;
  load: string;
  /** Overlay outside the visible interval. */
  veil: string;
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

/** Custom property with the colour of a context. */
export function contextProperty(context: number): string {
  return `--context-${context % CONTEXTS}`;
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
    background: colour("--lane-background"),
    backgroundOther: colour("--lane-background-other"),
    heading: colour("--lane-heading"),
    line: colour("--lane-line"),
    grid: colour("--lane-grid"),
    text: colour("--text"),
    textMuted: colour("--text-muted"),
    tick: colour("--lane-tick"),
    density: colour("--lane-density"),
    idleEdge: colour("--lane-idle-edge"),
    switch: colour("--lane-switch"),
    wake: colour("--lane-wake"),
    post: colour("--lane-post"),
    postFront: colour("--lane-post-front"),
    postName: colour("--lane-post-name"),
    depth: colour("--lane-depth"),
    depthEdge: colour("--lane-depth-edge"),
    bounded: colour("--lane-bounded"),
    unbounded: colour("--lane-unbounded"),
    boundedEdge: colour("--lane-bounded-edge"),
    unboundedEdge: colour("--lane-unbounded-edge"),
    gap: colour("--lane-gap"),
    selected: colour("--lane-selected"),
    cursor: colour("--lane-cursor"),
    range: colour("--lane-range"),
    rangeEdge: colour("--lane-range-edge"),
    hovered: colour("--lane-hovered"),
    bookmark: colour("--lane-bookmark"),
    bookmarkRange: colour("--lane-bookmark-range"),
    markerA: colour("--marker-a"),
    markerB: colour("--marker-b"),
    hit: colour("--hit"),
    accent: colour("--accent"),
    load: colour("--bar"),
    veil: colour("--lane-veil"),
    lane: (name) => colour(classProperty(name)),
    contexts: Array.from({ length: CONTEXTS }, (_, context) => colour(contextProperty(context))),
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
