/** Commands that export and print the view. */

import type { TraceState } from "../../state/trace";
import { showError } from "../../state/viewer";
import type { PictureExtent } from "../../timeline/picture";
import { saveFile } from "../files";
import { print } from "../theme";
import { type Command, traceCommand } from "./command";

const group = "Files";

async function picture(
  trace: TraceState,
  format: "png" | "svg",
  extent: PictureExtent,
): Promise<void> {
  try {
    const { renderPicture } = await import("../../timeline/picture");
    const stem = trace.overview.name.replace(/\.[^.]*$/, "");
    saveFile(await renderPicture(trace, format, extent), `${stem}.${format}`);
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
    run: (trace) => void picture(trace, "png", "view"),
  }),
  traceCommand(group, {
    id: "svg",
    title: "Save the view as SVG",
    keys: ["Shift+V"],
    run: (trace) => void picture(trace, "svg", "view"),
  }),
  traceCommand(group, {
    id: "png-all",
    title: "Save all lanes as PNG",
    keys: [],
    run: (trace) => void picture(trace, "png", "all-lanes"),
  }),
  traceCommand(group, {
    id: "svg-all",
    title: "Save all lanes as SVG",
    keys: [],
    run: (trace) => void picture(trace, "svg", "all-lanes"),
  }),
  traceCommand(group, { id: "print", title: "Print the view…", keys: ["P"], run: print }),
];
