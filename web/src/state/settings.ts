/** Preferences, stored in this browser. */

import { effect, type Signal, signal } from "@preact/signals";

/** States that a thread's status line shows. */
export type StatusLines = "ready" | "all" | "off";
/** `system` follows the desktop. */
export type Theme = "system" | "light" | "dark";

/** Panels beside the timeline, in tab order. */
export const SIDE_PANELS = [
  "trace",
  "details",
  "path",
  "range",
  "search",
  "reports",
  "intervals",
  "objects",
  "communication",
  "comparison",
  "bookmarks",
  "legend",
  "sequence",
  "machine",
] as const;
/** Those with a diagram. */
export const DIAGRAM_PANELS: readonly SidePanel[] = ["communication", "sequence", "machine"];
/** Panels below the timeline. */
export const BOTTOM_PANELS = ["events", "graphs", "sql"] as const;
/** Open panel; empty if none. */
export type SidePanel = "" | (typeof SIDE_PANELS)[number];
export type BottomPanel = "" | (typeof BOTTOM_PANELS)[number];

function storedSetting<T>(key: string, initial: T): Signal<T> {
  const at = `rtoscope.${key}`;
  let value = initial;
  try {
    const text = localStorage.getItem(at);
    const stored: unknown = text === null ? null : JSON.parse(text);
    const isAlike =
      typeof stored === typeof initial && Array.isArray(stored) === Array.isArray(initial);
    if (isAlike && stored !== null) value = stored as T;
  } catch {
    // Storage is disabled, or has a value of another program.
  }
  const setting = signal(value);
  effect(() => {
    const text = JSON.stringify(setting.value);
    try {
      localStorage.setItem(at, text);
    } catch {
      // Not stored, then.
    }
  });
  return setting;
}

/** Maximum share of the width of the timeline that the lane names take. */
export const MAX_NAMES_SHARE = 0.36;

/** Current settings. */
export const settings = {
  theme: storedSetting<Theme>("theme", "system"),
  statusLines: storedSetting<StatusLines>("statusLines", "ready"),
  /** Whether times are shown in seconds where the clock frequency is known. */
  showTime: storedSetting("showTime", true),
  switchLines: storedSetting("switchLines", true),
  wakeArrows: storedSetting("wakeArrows", true),
  inversions: storedSetting("inversions", true),
  /** Arrows from the sender of an event to the active object that takes it. */
  postArrows: storedSetting("postArrows", true),
  /** Queue levels of active objects. */
  queueDepths: storedSetting("queueDepths", true),
  icons: storedSetting("icons", true),
  /** CPU load above the lanes, and that of each core. */
  cpuLoad: storedSetting("cpuLoad", true),
  cpuLoadOfCores: storedSetting("cpuLoadOfCores", false),
  /** Height of a lane in pixels; 0 if the lanes fill the view. */
  laneHeight: storedSetting("fixedLaneHeight", 0),
  /** Sizes of the panels in pixels. */
  nameWidth: storedSetting("nameWidth", 230),
  sideWidth: storedSetting("sideWidth", 410),
  /** Height of the side panel in a narrow window, where it is below the timeline. */
  sideHeight: storedSetting("sideHeight", 236),
  /** Width of a side panel with a diagram. */
  diagramWidth: storedSetting("diagramWidth", 640),
  bottomHeight: storedSetting("bottomHeight", 260),
  sidePanel: storedSetting<SidePanel>("sidePanel", "trace"),
  bottomPanel: storedSetting<BottomPanel>("bottomPanel", ""),
  /** Widths of columns in pixels, by the name of the table and the title of the column. */
  columnWidths: storedSetting<Record<string, Record<string, number>>>("columnWidths", {}),
  /** Whether the event table lists only what the timeline shows. */
  visibleEvents: storedSetting("visibleEvents", false),
  /** Recent search filters, newest first. */
  recentSearches: storedSetting<string[]>("recentSearches", []),
};
