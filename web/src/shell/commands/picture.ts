/** Commands that export and print the view. */

import type { TraceState } from "../../state/trace";
import { showError } from "../../state/viewer";
import { saveFile } from "../files";
import { print } from "../theme";
import { type Command, traceCommand } from "./command";

const group = "Files";

async function picture(trace: TraceState, format: "png" | "svg"): Promise<void> {
  try {
    const { renderPicture } = await import("../../timeline/picture");
    const stem = trace.overview.name.replace(/\.[^.]*$/, "");
    saveFile(await renderPicture(trace, format), `${stem}.${format}`);
  } catch (error) {
    showError(error);
  }
}

export const pictureCommands: readonly Command[] = [
  traceCommand(group, {
    id: "png",
    title: "Save the view as PNG",
    keys: ["Shift+P"],
    icon: "picture",
    run: (trace) => void picture(trace, "png"),
  }),
  traceCommand(group, {
    id: "svg",
    title: "Save the view as SVG",
    keys: ["Shift+V"],
    run: (trace) => void picture(trace, "svg"),
  }),
  traceCommand(group, { id: "print", title: "Print the view…", keys: ["P"], run: print }),
];
