/** All commands of the viewer, the source of toolbar, keys, key help and palette. */

import { active, notice, openings } from "../state/viewer";
import type { Command } from "./commands/command";
import { comparisonCommands } from "./commands/comparison";
import { fileCommands } from "./commands/file";
import { liveCommands } from "./commands/live";
import { markCommands } from "./commands/mark";
import { moveCommands } from "./commands/move";
import { panelCommands } from "./commands/panels";
import { pictureCommands } from "./commands/picture";
import { rawEventCommands } from "./commands/raw-events";
import { settingsCommands } from "./commands/settings";
import { zoomCommands } from "./commands/zoom";
import { handlesKey, keyName } from "./key-names";

export type { Command };

/** Commands in the order of the key help. */
export const commands: readonly Command[] = [
  ...moveCommands,
  ...zoomCommands,
  ...liveCommands,
  ...markCommands,
  ...panelCommands,
  ...settingsCommands,
  ...fileCommands,
  ...comparisonCommands,
  ...pictureCommands,
  ...rawEventCommands,
];

const byId = new Map(commands.map((command) => [command.id, command]));
const byKey = new Map(commands.flatMap((command) => command.keys.map((key) => [key, command])));

/** Command by id. */
export function command(id: string): Command {
  const found = byId.get(id);
  if (!found) throw new Error(`no command has the id ${id}`);
  return found;
}

/** Whether the command applies to the active trace. */
export function isApplicable(one: Command): boolean {
  return one.isApplicable === undefined || one.isApplicable();
}

/** Whether the command can be run now. */
export function isEnabled(one: Command): boolean {
  return isApplicable(one) && (one.enabled === undefined || one.enabled());
}

/** Maximum number of commands queued while a trace is being opened. */
const MAX_QUEUED = 20;
let queued: Command[] = [];

/** Runs the commands queued while a trace was being opened. */
export function runQueued(): void {
  const waiting = queued;
  queued = [];
  for (const one of waiting) if (isEnabled(one)) one.run();
}

/**
 * Dialogs and popovers that are open in the document: Escape closes a dialog before the page
 * receives the key. A popover is `:popover-open` at once, and its `data-open` follows with the toggle
 * event, both when it opens and when it closes.
 */
const OPEN_OVERLAY = "dialog[open], [popover]:popover-open, [popover][data-open]";

/** Runs the command of a key; while a trace is being opened, a command that needs it is queued. */
export function press(event: KeyboardEvent): void {
  const name = keyName(event);
  const found = byKey.get(name);
  if (!found || event.defaultPrevented || event.isComposing) return;
  if (document.querySelector(OPEN_OVERLAY) !== null) return;
  if (handlesKey(event.target, name)) {
    if (name === "Escape" && event.target instanceof HTMLElement) event.target.blur();
    return;
  }
  event.preventDefault();
  const arriving = found.usesSelection === true ? active.peek()?.arriving : null;
  if (arriving) void arriving.then(() => runByKey(found));
  else runByKey(found);
}

function runByKey(found: Command): void {
  if (isEnabled(found)) found.run();
  else if (active.peek() === null && openings.peek().length > 0)
    queued = [...queued, found].slice(0, MAX_QUEUED);
  else if (active.peek() !== null && found.hint !== undefined) notice.value = found.hint;
}
