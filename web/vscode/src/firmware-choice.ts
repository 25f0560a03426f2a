/** The ELF file that the user has chosen for the recordings of a folder. */

import { type Memento, Uri, window } from "vscode";
import { folderOf, nameOf } from "./paths";

const keyOf = (recording: Uri) => `firmware:${folderOf(recording)}`;

export class FirmwareChoice {
  constructor(private readonly state: Memento) {}

  of(recording: Uri): Uri | null {
    const chosen = this.state.get<string>(keyOf(recording));
    return chosen === undefined ? null : Uri.parse(chosen);
  }

  /** Whether a choice for one recording is also one for the other. */
  isShared(one: Uri, other: Uri): boolean {
    return keyOf(one) === keyOf(other);
  }

  /** Asks for the file; returns whether the choice has changed. */
  async choose(recording: Uri): Promise<boolean> {
    const current = this.of(recording);
    const another = "Choose another file…";
    if (current !== null) {
      const none = `Without ${nameOf(current)}`;
      const picked = await window.showQuickPick([another, none], { placeHolder: current.path });
      if (picked === undefined) return false;
      if (picked === none) {
        await this.state.update(keyOf(recording), undefined);
        return true;
      }
    }
    const chosen = await window.showOpenDialog({
      defaultUri: current ?? folderOf(recording),
      title: "Firmware for the recordings of this folder",
      openLabel: "Use",
      filters: { Firmware: ["elf", "axf", "out"], "All files": ["*"] },
    });
    if (chosen?.[0] === undefined) return false;
    await this.state.update(keyOf(recording), String(chosen[0]));
    return true;
  }
}
