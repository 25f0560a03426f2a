/** The extension for Visual Studio Code: recordings in an editor, on the desktop and in a browser. */

import { commands, type ExtensionContext, type Uri, window } from "vscode";
import { recordLive } from "./record-live";
import { OPTIONAL_VIEW_TYPE, RecordingEditors, VIEW_TYPE } from "./recording-editors";

export function activate({ extensionUri, workspaceState, subscriptions }: ExtensionContext): void {
  const editors = new RecordingEditors(extensionUri, workspaceState);
  const options = {
    supportsMultipleEditorsPerDocument: true,
    webviewOptions: { retainContextWhenHidden: true },
  };
  subscriptions.push(
    ...[VIEW_TYPE, OPTIONAL_VIEW_TYPE].map((viewType) =>
      window.registerCustomEditorProvider(viewType, editors, options),
    ),
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
