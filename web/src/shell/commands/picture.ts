/** Commands that export and print the view. */

import type { TraceState } from "../../state/trace";
import { showError } from "../../state/viewer";
import type { PictureExtent } from "../../timeline/picture";
import { saveFile, stemOf } from "../files";
import { print } from "../theme";
import { type Command, commandsOf } from "./command";

const { ofTrace } = commandsOf("Files");

async function save(
  trace: TraceState,
  format: "png" | "svg",
  extent: PictureExtent,
): Promise<void> {
  try {
    const { renderPicture } = await import("../../timeline/picture");
    saveFile(
      await renderPicture(trace, format, extent),
      `${stemOf(trace.overview.name)}.${format}`,
    );
  } catch (error) {
    showError(error);
  }
}

const picture = (format: "png" | "svg", extent: PictureExtent) => (trace: TraceState) =>
  void save(trace, format, extent);

export const pictureCommands: readonly Command[] = [
  ofTrace("png", "Save the view as PNG", ["Shift+P"], picture("png", "view"), { icon: "picture" }),
  ofTrace("svg", "Save the view as SVG", ["Shift+V"], picture("svg", "view")),
  ofTrace("png-all", "Save all lanes as PNG", [], picture("png", "all-lanes")),
  ofTrace("svg-all", "Save all lanes as SVG", [], picture("svg", "all-lanes")),
  ofTrace("print", "Print the view…", ["P"], print),
];
