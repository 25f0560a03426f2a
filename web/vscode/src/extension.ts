/** The extension for Visual Studio Code: recordings in an editor, on the desktop and in a browser. */

import { commands, type ExtensionContext, type Uri, window } from "vscode";
import { recordLive } from "./record-live";
import { RecordingEditors, VIEW_TYPE } from "./recording-editors";

export function activate({ extensionUri, workspaceState, subscriptions }: ExtensionContext): void {
  const editors = new RecordingEditors(extensionUri, workspaceState);
  subscriptions.push(
    window.registerCustomEditorProvider(VIEW_TYPE, editors, {
      supportsMultipleEditorsPerDocument: true,
      webviewOptions: { retainContextWhenHidden: true },
    }),
    commands.registerCommand("rtoscope.open", openRecordings),
    commands.registerCommand("rtoscope.chooseFirmware", () => editors.chooseFirmware()),
    commands.registerCommand("rtoscope.recordLive", recordLive),
  );
}

/** Opens the selected files of the explorer, or files that the user chooses. */
async function openRecordings(clicked?: Uri, selected?: Uri[]): Promise<void> {
  const chosen =
    clicked === undefined
      ? await window.showOpenDialog({ canSelectMany: true, openLabel: "Open with rtoscope" })
      : (selected ?? [clicked]);
  for (const file of chosen ?? [])
    await commands.executeCommand("vscode.openWith", file, VIEW_TYPE);
}
