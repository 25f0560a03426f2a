/** The notes beside a recording, as `rtoscope view` keeps them. */

import { FileSystemError, Uri, workspace } from "vscode";
import { folderOf, isFile, nameOf, read } from "./paths";

export class NotesFile {
  readonly name: string;
  private readonly file: Uri;
  /** The last known content: anything else is kept as a backup. */
  private lastKnown: string | null = null;
  /** Writes one after the other. */
  private last: Promise<void> = Promise.resolve();

  constructor(recording: Uri) {
    this.name = `${nameOf(recording)}.rtoscope.json`;
    this.file = Uri.joinPath(folderOf(recording), this.name);
  }

  /** The content, if there is such a file. */
  async load(): Promise<Uint8Array<ArrayBuffer> | null> {
    const content = await this.content();
    this.lastKnown = content === null ? null : new TextDecoder().decode(content);
    return content;
  }

  save(text: string): Promise<void> {
    const saved = this.last.then(() => this.write(text));
    this.last = saved.catch(() => undefined);
    return saved;
  }

  private async write(text: string): Promise<void> {
    if (text === this.lastKnown) return;
    const found = await this.content();
    if (found !== null && new TextDecoder().decode(found) !== this.lastKnown) await this.backUp();
    await workspace.fs.writeFile(this.file, new TextEncoder().encode(text));
    this.lastKnown = text;
  }

  private async content(): Promise<Uint8Array<ArrayBuffer> | null> {
    try {
      return await read(this.file);
    } catch (error) {
      if (error instanceof FileSystemError && error.code === "FileNotFound") return null;
      throw error;
    }
  }

  private async backUp(): Promise<void> {
    for (let number = 0; ; number += 1) {
      const name = `${this.name}.bak${number || ""}`;
      const backup = Uri.joinPath(folderOf(this.file), name);
      if (await isFile(backup)) continue;
      await workspace.fs.rename(this.file, backup);
      return;
    }
  }
}
