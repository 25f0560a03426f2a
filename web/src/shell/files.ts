/** Files from and to the user's disk. */

import { openFiles } from "../state/viewer";

/** Lets the user choose files and opens each in a tab. */
export function chooseFiles(): void {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = true;
  // What is in no document may be gone before the user has chosen.
  input.hidden = true;
  document.body.append(input);
  input.addEventListener("change", () => {
    input.remove();
    if (input.files) void openFiles([...input.files]);
  });
  input.addEventListener("cancel", () => input.remove());
  input.click();
}

/** Lets the user keep something as a file. */
export function save(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name.replaceAll(/[\\/:*?"<>|]|[^ -\uffff]/g, "_") || "trace";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
