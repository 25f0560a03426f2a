/** `rtoscope live` in a terminal. */

import { commands, ProcessExecution, Task, TaskScope, tasks, Uri, window, workspace } from "vscode";
import { split } from "./names";
import { isFile } from "./paths";

/** What Node gives to extensions; there is no process in a browser. */
declare const process: { env?: Record<string, string | undefined>; platform?: string } | undefined;

/** What the user entered last. */
let last = "rtt://localhost:19021 --view --save run";

/** Asks for the arguments, and runs the program in the folder of the workspace. */
export async function recordLive(): Promise<void> {
  const name = workspace.getConfiguration("rtoscope").get<string>("path") || "rtoscope";
  const program = await find(name);
  if (program === null) {
    await explain(name);
    return;
  }
  const line = await window.showInputBox({
    title: "rtoscope live",
    prompt: "Source and options of rtoscope live; quote what contains spaces",
    value: last,
    ignoreFocusOut: true,
  });
  if (line === undefined) return;
  last = line;
  const folder = workspace.workspaceFolders?.[0];
  const execution = new ProcessExecution(program, ["live", ...split(line)], {
    ...(folder ? { cwd: folder.uri.fsPath } : {}),
  });
  const definition = { type: "rtoscope" };
  const task = new Task(definition, folder ?? TaskScope.Global, "live", "rtoscope", execution);
  await tasks.executeTask(task);
}

/** The path of a program, if it is installed where the extension runs. */
async function find(name: string): Promise<string | null> {
  const isWindows = process?.platform === "win32";
  const isPath = /[/\\]/.test(name);
  const folders = isPath ? [] : (process?.env?.PATH ?? "").split(isWindows ? ";" : ":");
  const paths = isPath ? [name] : folders.filter(Boolean).map((folder) => `${folder}/${name}`);
  for (const path of paths)
    for (const suffix of isWindows ? ["", ".exe"] : [""])
      if (await isFile(Uri.file(path + suffix))) return path + suffix;
  return null;
}

async function explain(name: string): Promise<void> {
  const isBrowser = typeof process === "undefined" || process.env === undefined;
  const reason = isBrowser
    ? "Live traces need a program, and Visual Studio Code in a browser runs none."
    : `${name} is not installed: live traces need the program of the setting rtoscope.path.`;
  const settings = "Open settings";
  const picked = await window.showErrorMessage(reason, ...(isBrowser ? [] : [settings]));
  if (picked === settings)
    await commands.executeCommand("workbench.action.openSettings", "rtoscope.path");
}
