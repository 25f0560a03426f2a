/** Lines of source code that a recording refers to. */

import { Range, type Uri, ViewColumn, window, workspace } from "vscode";
import type { SourceLine } from "../../src/session/wire";
import { isFile, nameOf } from "./paths";

/** Maximum number of files with the same name that are compared. */
const MAX_FOUND = 200;

/** Opens a line beside the recording. */
export async function goToSource({ file, line }: SourceLine, recording: Uri): Promise<void> {
  const parts = file.split(/[/\\]+/).filter((part) => part !== "" && part !== ".");
  const source = await find(parts, /^([/\\]|[a-z]:)/i.test(file), recording);
  if (source === null) {
    const at = line === null ? file : `${file}:${line}`;
    void window.showWarningMessage(`No file of the workspace is ${at}, which the firmware names.`);
    return;
  }
  if (source === undefined) return;
  const start = Math.max(0, (line ?? 1) - 1);
  await window.showTextDocument(source, {
    viewColumn: ViewColumn.Beside,
    selection: new Range(start, 0, start, 0),
  });
}

/** The file; `null` if there is none, `undefined` if the user chooses none. */
async function find(
  parts: string[],
  isAbsolute: boolean,
  recording: Uri,
): Promise<Uri | null | undefined> {
  const exact = recording.with({ path: `/${parts.join("/")}` });
  if (isAbsolute && (await isFile(exact))) return exact;
  const name = parts.at(-1) ?? "";
  // It was compiled in another folder.
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

/** Number of equal parts at the ends of two paths. */
export function commonEnd(one: readonly string[], other: readonly string[]): number {
  let length = 0;
  while (length < one.length && one.at(-1 - length) === other.at(-1 - length)) length += 1;
  return length;
}
