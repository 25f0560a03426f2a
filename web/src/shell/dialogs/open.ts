/** Which dialog is open. */

import { signal } from "@preact/signals";

/** The dialogs. */
export type DialogName = "bookmark" | "clock" | "go-to" | "keys" | "palette";

/** The one that is open. */
export const openDialog = signal<DialogName | null>(null);

/** Closes it. */
export function closeDialog(): void {
  openDialog.value = null;
}
