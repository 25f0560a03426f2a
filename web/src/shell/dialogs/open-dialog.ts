/** State of the open dialog. */

import { signal } from "@preact/signals";

/** Dialog names. */
export type DialogName = "bookmark" | "clock" | "compare" | "go-to" | "keys" | "lane" | "palette";

/** The open dialog. */
export const openDialog = signal<DialogName | null>(null);

/** Number of the lane that the dialog is about. */
export const dialogLane = signal(0);

/** Opens the dialog about a lane. */
export function editLane(number: number): void {
  dialogLane.value = number;
  openDialog.value = "lane";
}

/** Closes the dialog. */
export function closeDialog(): void {
  openDialog.value = null;
}
