/** Light and dark theme. */

import { computed, effect, signal } from "@preact/signals";
import { settings } from "../state/settings";
import { set } from "./controls";

const desktop =
  typeof matchMedia === "function" ? matchMedia("(prefers-color-scheme: dark)") : null;
const desktopIsDark = signal(desktop?.matches ?? false);

/** Whether the program around the page is dark; `null` if there is none. */
export const hostIsDark = signal<boolean | null>(null);

const isPrinting = signal(false);

/** Current theme; paper is white. */
export const shownTheme = computed<"light" | "dark">(() => {
  if (isPrinting.value) return "light";
  const wanted = settings.theme.value;
  if (wanted === "light" || wanted === "dark") return wanted;
  return (hostIsDark.value ?? desktopIsDark.value) ? "dark" : "light";
});

/** Applies the setting and follows the desktop. */
export function followTheme(): void {
  desktop?.addEventListener("change", (event) => {
    desktopIsDark.value = event.matches;
  });
  window.addEventListener("beforeprint", set(isPrinting, true));
  window.addEventListener("afterprint", set(isPrinting, false));
  effect(() => {
    document.documentElement.dataset.theme = shownTheme.value;
  });
}

/** Time for the canvases to redraw in the colours of paper, in milliseconds. */
const REDRAW_TIME = 150;

/** Prints the page. */
export function print(): void {
  isPrinting.value = true;
  setTimeout(() => window.print(), REDRAW_TIME);
}
