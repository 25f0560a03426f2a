/** Opening and saving files. */

import { chosenFolder } from "../session/folder";
import { openFiles, showError } from "../state/viewer";

/** Lets the user choose files and opens each in a tab. */
export function chooseFiles(): void {
  choose(false);
}

/** Lets the user choose the folder of a capture or of CTF, and opens it in a tab. */
export function chooseFolder(): void {
  choose(true);
}

function choose(isFolder: boolean): void {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = true;
  input.webkitdirectory = isFolder;
  // An element outside the document may be collected before the user has chosen.
  input.hidden = true;
  document.body.append(input);
  input.addEventListener("change", () => {
    input.remove();
    const files = [...(input.files ?? [])];
    try {
      void openFiles(isFolder ? chosenFolder(files) : files);
    } catch (error) {
      showError(error);
    }
  });
  input.addEventListener("cancel", () => input.remove());
  input.click();
}

/** Saves a blob as a file. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name.replaceAll(/[\\/:*?"<>|]|[^ -\uffff]/g, "_") || "trace";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Name of a trace's file without its extension. */
export const stemOf = (name: string): string => name.replace(/\.[^.]*$/, "");
