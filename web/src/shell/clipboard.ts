/** Copies text. */

import { notice, showError } from "../state/viewer";

/** Copies text to the clipboard and says so in a notice. */
export async function copyText(text: string, message: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notice.value = message;
  } catch (error) {
    showError(error);
  }
}
