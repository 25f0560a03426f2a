/** Lines of source code that a recording refers to. */

import { Range, Uri, ViewColumn, window, workspace } from "vscode";
import type { SourceLine } from "../../src/session/wire";
import { commonEnd, partsOf } from "./names";
import { isFile, nameOf } from "./paths";

/** Maximum number of files with the same name that are compared. */
const MAX_FOUND = 200;

/** Opens a line beside the recording. */
export async function goToSource({ file, line }: SourceLine, recording: Uri): Promise<void> {
  const source = await find(file, recording);
  if (source === undefined) return;
  if (source === null) {
    const at = line === null ? file : `${file}:${line}`;
    void window.showWarningMessage(`No file of the workspace is ${at}, which the firmware names.`);
    return;
  }
  const start = Math.max(0, (line ?? 1) - 1);
  await window.showTextDocument(source, {
    viewColumn: ViewColumn.Beside,
    selection: new Range(start, 0, start, 0),
  });
}

/** The file of a path in the firmware; `null` if there is none, `undefined` if the user chooses none. */
async function find(path: string, recording: Uri): Promise<Uri | null | undefined> {
  const parts = partsOf(path);
  const exact = recording.with({ path: `/${parts.join("/")}` });
  if (/^([/\\]|[a-z]:)/i.test(path) && (await isFile(exact))) return exact;
  // It was compiled in another folder: first without those above the workspace.
  for (const { uri } of workspace.workspaceFolders ?? []) {
    for (let above = 0; above + 1 < parts.length; above += 1) {
      const below = Uri.joinPath(uri, ...parts.slice(above));
      if (await isFile(below)) return below;
    }
  }
  const name = parts.at(-1) ?? "";
  const pattern = `**/${name.replace(/[[\]{}*?]/g, "?")}`;
  const all = await workspace.findFiles(pattern, undefined, MAX_FOUND);
  const named = all.filter((uri) => nameOf(uri) === name);
  const common = named.map((uri) => commonEnd(uri.path.split("/"), parts));
  const best = named.filter((_, at) => common[at] === Math.max(...common));
  if (best.length <= 1) return best[0] ?? null;
  const picked = await window.showQuickPick(
    best.map((uri) => ({ label: workspace.asRelativePath(uri), uri })),
    { placeHolder: parts.join("/") },
  );
  return picked?.uri;
}
