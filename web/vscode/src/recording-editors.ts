/** Editors that show recordings. */

import {
  type CancellationToken,
  type CustomDocument,
  type CustomReadonlyEditorProvider,
  type Memento,
  Uri,
  type Webview,
  type WebviewPanel,
  window,
} from "vscode";
import { FirmwareChoice } from "./firmware-choice";
import type { FromPage, ToPage } from "./messages";
import { NotesFile } from "./notes-file";
import { filesOf } from "./recording-files";
import { goToSource } from "./source";
import { html } from "./webview-html";

/** The editor of files with the usual extensions of recordings. */
export const VIEW_TYPE = "rtoscope.recording";

/** The same for those that other programs' files have, too: they open with it if the user chooses it. */
export const OPTIONAL_VIEW_TYPE = "rtoscope.file";

interface Recording extends CustomDocument {
  readonly notes: NotesFile;
}

export class RecordingEditors implements CustomReadonlyEditorProvider<Recording> {
  private readonly open = new Map<WebviewPanel, Recording>();
  private readonly firmware: FirmwareChoice;

  constructor(
    private readonly extension: Uri,
    state: Memento,
  ) {
    this.firmware = new FirmwareChoice(state);
  }

  openCustomDocument(uri: Uri): Recording {
    return { uri, notes: new NotesFile(uri), dispose: () => undefined };
  }

  resolveCustomEditor(recording: Recording, panel: WebviewPanel, _: CancellationToken): void {
    const { webview } = panel;
    this.open.set(panel, recording);
    panel.onDidDispose(() => this.open.delete(panel));
    webview.onDidReceiveMessage((message: FromPage) => this.receive(recording, webview, message));
    this.show(recording, webview);
  }

  /** Asks for the firmware of the recording in the active editor, and opens it again. */
  async chooseFirmware(): Promise<void> {
    const active = [...this.open].find(([panel]) => panel.active);
    if (active === undefined) {
      void window.showInformationMessage(
        "Open a recording first: its firmware names what it shows.",
      );
      return;
    }
    const [, { uri }] = active;
    if (!(await this.firmware.choose(uri))) return;
    for (const [panel, recording] of this.open)
      if (this.firmware.isShared(uri, recording.uri)) this.show(recording, panel.webview);
  }

  private show(recording: Recording, webview: Webview): void {
    const media = Uri.joinPath(this.extension, "page");
    webview.options = { enableScripts: true, localResourceRoots: [media] };
    webview.html = html(webview, media, recording.uri);
  }

  private async receive(recording: Recording, webview: Webview, message: FromPage): Promise<void> {
    if ("source" in message) await goToSource(message.source, recording.uri);
    else if ("notes" in message) await save(recording, message.notes);
    else await webview.postMessage(await this.load(recording));
  }

  private async load({ uri, notes }: Recording): Promise<ToPage> {
    try {
      const files = await filesOf(uri, this.firmware.of(uri));
      const noted = await notes.load();
      if (noted !== null) files.files.push([notes.name, noted]);
      return { recording: files };
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) };
    }
  }
}

async function save({ notes }: Recording, text: string): Promise<void> {
  try {
    await notes.save(text);
  } catch (error) {
    void window.showErrorMessage(`The notes are not saved in ${notes.name}: ${error}`);
  }
}
