/** Keys by name: `W`, `Shift+N`, `Ctrl+K`, `?`, `ArrowLeft`. */

/** Properties of a keyboard event that identify the key. */
export type PressedKey = Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey">;

/** Name of the pressed key. Command on a Mac counts as Ctrl. */
export function keyName(pressed: PressedKey): string {
  const { key } = pressed;
  const isLetter = key.length === 1 && key.toUpperCase() !== key.toLowerCase();
  // For other printable characters, Shift is part of typing them.
  const shift = pressed.shiftKey && (isLetter || key.length > 1);
  const name = key === " " ? "Space" : isLetter ? key.toUpperCase() : key;
  return [
    pressed.ctrlKey || pressed.metaKey ? "Ctrl+" : "",
    pressed.altKey ? "Alt+" : "",
    shift ? "Shift+" : "",
    name,
  ].join("");
}

const DISPLAY_NAMES: Record<string, string> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  PageUp: "Page Up",
  PageDown: "Page Down",
  Escape: "Esc",
};

/** Parts of a key's name for display. */
export function displayKeys(name: string): string[] {
  const plus = name.endsWith("+");
  const parts = (plus ? name.slice(0, -1) : name).split("+").filter((part) => part !== "");
  if (plus) parts.push("+");
  return parts.map((part) => DISPLAY_NAMES[part] ?? part);
}

const TYPING = "input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]";
const PRESSABLE = "button, a[href], summary, input, [role=button], [role=option], [role=tab]";

/** Whether the focused element handles a key itself, so that no command may use it. */
export function handlesKey(target: EventTarget | null, name: string): boolean {
  if (!(target instanceof Element)) return false;
  if (name === "Enter" || name === "Space") return target.closest(PRESSABLE) !== null;
  if (target.closest(TYPING) === null) return false;
  return !/^(F\d+|Ctrl\+(K|F|O|Shift\+P))$/.test(name);
}
