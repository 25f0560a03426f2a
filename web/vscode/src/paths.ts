/** Files, wherever the workspace is. */

import { FileType, Uri, workspace } from "vscode";

/** The folder of a file. */
export const folderOf = (file: Uri) => Uri.joinPath(file, "..");

/** The last part of a path. */
export const nameOf = (file: Uri) => file.path.slice(file.path.lastIndexOf("/") + 1);

/** Whether there is such a file. */
export async function isFile(file: Uri): Promise<boolean> {
  try {
    return ((await workspace.fs.stat(file)).type & FileType.File) !== 0;
  } catch {
    return false;
  }
}

/** The content of a file. */
export async function read(file: Uri): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await workspace.fs.readFile(file));
}
