/** Commands for files and tabs. */

import { backend } from "../../session/backend";
import { expectOk } from "../../session/client";
import { request } from "../../session/connection";
import type { TraceState } from "../../state/trace";
import { activeId, closeTrace, showError, traces } from "../../state/viewer";
import { locationOf } from "../address";
import { copyText } from "../clipboard";
import { chooseFiles, chooseFolder, saveFile } from "../files";
import { encodeLocation } from "../view-location";
import { type Command, commandsOf } from "./command";

const { plain, ofTrace } = commandsOf("Files");

function turn(by: number): void {
  const tabs = traces.peek();
  const at = tabs.findIndex((trace) => trace.id === activeId.peek());
  const next = tabs[(at + by + tabs.length) % tabs.length];
  if (next) activeId.value = next.id;
}

/** What a link to a view needs in order to work. */
function linkNeeds({ id }: TraceState): string {
  const { standalone } = backend();
  if (standalone === undefined) return "while the server runs";
  const isAddressed = standalone.addressOf(id) !== undefined || location.protocol === "file:";
  return isAddressed ? "of the same file" : "once the file is open";
}

/** Saves the notes under the name under which the command looks for them. */
async function saveNotes({ id, overview }: TraceState): Promise<void> {
  try {
    const response = await expectOk(await request(`api/traces/${id}/notes`));
    saveFile(await response.blob(), `${overview.name}.rtoscope.json`);
  } catch (error) {
    showError(error);
  }
}

const hasTabs = () => traces.value.length > 1;

export const fileCommands: readonly Command[] = [
  plain("open", "Open a file…", ["O", "Ctrl+O"], chooseFiles, { icon: "open" }),
  plain("open-folder", "Open a folder…", [], chooseFolder, {
    isApplicable: () => backend().standalone !== undefined,
  }),
  ofTrace("close", "Close this trace", [], (trace) => {
    closeTrace(trace.id).catch(showError);
  }),
  ofTrace("link", "Copy a link to this view", [], (trace) => {
    const link = new URL(`#${encodeLocation(locationOf(trace))}`, window.location.href);
    void copyText(link.href, `Link copied. It opens this view ${linkNeeds(trace)}.`);
  }),
  ofTrace("save-notes", "Save the notes as a file", [], (trace) => void saveNotes(trace), {
    isApplicable: () => backend().standalone !== undefined,
  }),
  plain("previous-tab", "Previous tab", ["["], () => turn(-1), { enabled: hasTabs }),
  plain("next-tab", "Next tab", ["]"], () => turn(1), { enabled: hasTabs }),
];
