/** What the user prefers, remembered in this browser. */

import { effect, type Signal, signal } from "@preact/signals";

/** Which of a thread's states its status line shows. */
export type StatusLines = "ready" | "all" | "off";
/** `system` follows the desktop. */
export type Theme = "system" | "light" | "dark";

/** The panels beside the timeline, in the order of their tabs. */
export const SIDE_PANELS = [
  "details",
  "search",
  "reports",
  "objects",
  "bookmarks",
  "legend",
  "trace",
  "sequence",
  "machine",
] as const;
/** Those of them that only traces of active objects have. */
export const DIAGRAM_PANELS: readonly SidePanel[] = ["sequence", "machine"];
/** The panels below the timeline. */
export const BOTTOM_PANELS = ["events", "curves"] as const;
/** The one that is open; empty if none is. */
export type SidePanel = "" | (typeof SIDE_PANELS)[number];
export type BottomPanel = "" | (typeof BOTTOM_PANELS)[number];

/** The settings. */
export interface Settings {
  theme: Signal<Theme>;
  statusLines: Signal<StatusLines>;
  /** Whether times are shown in seconds where the clock is known. */
  showTime: Signal<boolean>;
  switchLines: Signal<boolean>;
  wakeArrows: Signal<boolean>;
  inversions: Signal<boolean>;
  /** Arrows from active objects that post events to those that take them. */
  postArrows: Signal<boolean>;
  /** How many events wait in the queues of active objects. */
  queueDepths: Signal<boolean>;
  icons: Signal<boolean>;
  /** The height of a lane in pixels. */
  laneHeight: Signal<number>;
  /** Widths of the panels in pixels. */
  nameWidth: Signal<number>;
  sideWidth: Signal<number>;
  /** The same of a side panel that shows a diagram. */
  diagramWidth: Signal<number>;
  bottomHeight: Signal<number>;
  sidePanel: Signal<SidePanel>;
  bottomPanel: Signal<BottomPanel>;
  /** Filters that were searched for, the latest first. */
  recentSearches: Signal<string[]>;
}

function remembered<T>(key: string, initial: T): Signal<T> {
  const at = `rtoscope.${key}`;
  let value = initial;
  try {
    const text = localStorage.getItem(at);
    const stored: unknown = text === null ? null : JSON.parse(text);
    const isAlike =
      typeof stored === typeof initial && Array.isArray(stored) === Array.isArray(initial);
    if (isAlike && stored !== null) value = stored as T;
  } catch {
    // Storage is off or was written by somebody else.
  }
  const setting = signal(value);
  effect(() => {
    const text = JSON.stringify(setting.value);
    try {
      localStorage.setItem(at, text);
    } catch {
      // Not remembered, then.
    }
  });
  return setting;
}

/** The settings as remembered. */
export const settings: Settings = {
  theme: remembered<Theme>("theme", "system"),
  statusLines: remembered<StatusLines>("statusLines", "ready"),
  showTime: remembered("showTime", true),
  switchLines: remembered("switchLines", true),
  wakeArrows: remembered("wakeArrows", true),
  inversions: remembered("inversions", true),
  postArrows: remembered("postArrows", true),
  queueDepths: remembered("queueDepths", true),
  icons: remembered("icons", true),
  laneHeight: remembered("laneHeight", 30),
  nameWidth: remembered("nameWidth", 230),
  sideWidth: remembered("sideWidth", 420),
  diagramWidth: remembered("diagramWidth", 640),
  bottomHeight: remembered("bottomHeight", 260),
  sidePanel: remembered<SidePanel>("sidePanel", "details"),
  bottomPanel: remembered<BottomPanel>("bottomPanel", "events"),
  recentSearches: remembered<string[]>("recentSearches", []),
};
