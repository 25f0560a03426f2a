/** Every command of the viewer. Toolbar, keys, key help and palette all come from here. */

import { active, openings } from "../state/viewer";
import type { Command } from "./commands/command";
import { fileCommands } from "./commands/file";
import { liveCommands } from "./commands/live";
import { markCommands } from "./commands/mark";
import { moveCommands } from "./commands/move";
import { panelCommands } from "./commands/panels";
import { pictureCommands } from "./commands/picture";
import { settingsCommands } from "./commands/settings";
import { zoomCommands } from "./commands/zoom";
import { keeps, nameOf } from "./keys";

export type { Command };

/** The commands, in the order in which the key help lists them. */
export const commands: readonly Command[] = [
  ...moveCommands,
  ...zoomCommands,
  ...liveCommands,
  ...markCommands,
  ...panelCommands,
  ...settingsCommands,
  ...fileCommands,
  ...pictureCommands,
];

const byId = new Map(commands.map((command) => [command.id, command]));
const byKey = new Map(commands.flatMap((command) => command.keys.map((key) => [key, command])));

/** The command of that name. */
export function command(id: string): Command {
  const found = byId.get(id);
  if (!found) throw new Error(`no command is called ${id}`);
  return found;
}

/** Whether the command has to do with the trace that is shown. */
export function isOfUse(one: Command): boolean {
  return one.concerns === undefined || one.concerns();
}

/** Whether the command can be run now. */
export function isEnabled(one: Command): boolean {
  return isOfUse(one) && (one.enabled === undefined || one.enabled());
}

/** Keys that are held at most while a trace is on its way. */
const MAX_HELD = 20;
let held: Command[] = [];

/** Runs what was pressed while a trace was on its way, now that it is there. */
export function runHeld(): void {
  const waiting = held;
  held = [];
  for (const one of waiting) if (isEnabled(one)) one.run();
}

/** Runs the command that a key stands for; while a trace is on its way, one that needs it is held. */
export function press(event: KeyboardEvent): void {
  const name = nameOf(event);
  const found = byKey.get(name);
  if (!found || event.defaultPrevented || event.isComposing) return;
  // What the page shows, not what it is about to: Escape closes a dialog before the page hears of it.
  if (document.querySelector("dialog[open], [popover][data-open]") !== null) return;
  if (keeps(event.target, name)) {
    if (name === "Escape" && event.target instanceof HTMLElement) event.target.blur();
    return;
  }
  event.preventDefault();
  if (isEnabled(found)) found.run();
  else if (active.peek() === null && openings.peek().length > 0)
    held = [...held, found].slice(0, MAX_HELD);
}
