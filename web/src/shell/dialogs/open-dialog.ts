/** State of the open dialog. */

import { signal } from "@preact/signals";

/** Dialog names. */
export type DialogName = "bookmark" | "clock" | "go-to" | "keys" | "palette";

/** The open dialog. */
export const openDialog = signal<DialogName | null>(null);

/** Closes the dialog. */
export function closeDialog(): void {
  openDialog.value = null;
}
