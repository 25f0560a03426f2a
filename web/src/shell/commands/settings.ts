/** Display settings. */

import type { Signal } from "@preact/signals";
import { type StatusLines, settings, type Theme } from "../../state/settings";
import { active } from "../../state/viewer";
import { views } from "../../timeline/view";
import { set } from "../controls";
import { openDialog } from "../dialogs/open-dialog";
import { type Command, commandsOf, tracesActiveObjects } from "./command";

const { plain, ofTrace } = commandsOf("Settings");
const THEMES: readonly Theme[] = ["system", "light", "dark"];
const STATUS_LINES: readonly StatusLines[] = ["ready", "all", "off"];

/**
 * Minimum and maximum lane height in pixels: room for bars and status lines, and for icons at
 * double height.
 */
const MIN_LANE_HEIGHT = 18;
const MAX_LANE_HEIGHT = 96;

function next<T>(values: readonly T[], setting: Signal<T>): void {
  const following = values[(values.indexOf(setting.peek()) + 1) % values.length];
  if (following !== undefined) setting.value = following;
}

function toggle(id: string, title: string, setting: Signal<boolean>, keys: string[] = []): Command {
  const run = () => {
    setting.value = !setting.peek();
  };
  return plain(id, title, keys, run, { pressed: () => setting.value });
}

function height(id: string, title: string, by: number): Command {
  const shown = () => {
    const view = active.value === null ? undefined : views.get(active.value);
    return view?.laneHeight.value ?? MIN_LANE_HEIGHT;
  };
  const changed = () => Math.min(Math.max(shown() + by, MIN_LANE_HEIGHT), MAX_LANE_HEIGHT);
  const run = () => {
    settings.laneHeight.value = changed();
  };
  return plain(id, title, [], run, {
    enabled: () => active.value !== null && changed() !== shown(),
  });
}

export const settingsCommands: readonly Command[] = [
  plain("theme", "Theme: system, light, dark", ["Shift+T"], () => next(THEMES, settings.theme), {
    icon: "theme",
  }),
  plain("status-lines", "Status lines: ready only, all, off", ["Shift+S"], () =>
    next(STATUS_LINES, settings.statusLines),
  ),
  ofTrace("clock", "Set the clock frequency…", ["C"], set(openDialog, "clock"), { icon: "clock" }),
  toggle("show-time", "Show times instead of ticks", settings.showTime, ["Shift+C"]),
  toggle("cpu-load", "Show the CPU load", settings.cpuLoad),
  toggle("switch-lines", "Show context-switch lines", settings.switchLines),
  toggle("wake-arrows", "Show wake-up arrows", settings.wakeArrows),
  {
    ...toggle("post-arrows", "Show post arrows", settings.postArrows, ["Shift+A"]),
    icon: "arrow",
    isApplicable: tracesActiveObjects,
  },
  {
    ...toggle("queue-depths", "Show queue levels", settings.queueDepths, ["Shift+Q"]),
    isApplicable: tracesActiveObjects,
  },
  toggle("inversions", "Shade priority inversions", settings.inversions),
  toggle("icons", "Show event icons", settings.icons),
  height("taller-lanes", "Taller lanes", 6),
  height("flatter-lanes", "Lower lanes", -6),
  plain("fill-lanes", "Lanes fill the height", [], set(settings.laneHeight, 0), {
    pressed: () => settings.laneHeight.value === 0,
  }),
];
