/** The files with which `rtoscope view` would open a recording. */

import { Uri } from "vscode";
import type { RecordingMessage } from "./messages";
import { namesIn } from "./names";
import { folderOf, isFile, nameOf, read } from "./paths";

const PROJECT = "rtoscope.toml";

/** The recording, the project's file with the files that it names, and the firmware if one is chosen. */
export async function filesOf(recording: Uri, firmware: Uri | null): Promise<RecordingMessage> {
  const files = new Map([[nameOf(recording), await read(recording)]]);
  const options = [];
  const project = await find(folderOf(recording));
  if (project === null) options.push("--no-config");
  else {
    options.push(`--config=${PROJECT}`);
    const text = await read(project);
    files.set(PROJECT, text);
    for (const name of namesIn(new TextDecoder().decode(text))) {
      const file = Uri.joinPath(project, "..", name);
      if (!files.has(name) && (await isFile(file))) files.set(name, await read(file));
    }
  }
  if (firmware !== null) {
    options.push(`--symbols=${nameOf(firmware)}`);
    files.set(nameOf(firmware), await read(firmware));
  }
  return { options, files: [...files] };
}

/** The project's file in a folder, or in the nearest folder above it. */
async function find(folder: Uri): Promise<Uri | null> {
  const file = Uri.joinPath(folder, PROJECT);
  if (await isFile(file)) return file;
  const above = folderOf(folder);
  return above.path === folder.path ? null : find(above);
}
