/** Saves a diagram in one of several formats. */

import { Options } from "../../shell/controls";
import { saveFile } from "../../shell/files";
import { showError } from "../../state/viewer";

/** A file format of a diagram. */
export interface DiagramFormat {
  title: string;
  /** File name extension. */
  extension: string;
  type: string;
  make: () => Promise<string> | string;
}

export function SaveAs({ name, formats }: { name: string; formats: readonly DiagramFormat[] }) {
  const keep = async ({ make, type, extension }: DiagramFormat) => {
    try {
      saveFile(new Blob([await make()], { type }), `${name}.${extension}`);
    } catch (error) {
      showError(error);
    }
  };
  return (
    <select
      aria-label="Save diagram as"
      value=""
      onChange={({ currentTarget }) => {
        const format = formats.find(({ title }) => title === currentTarget.value);
        currentTarget.value = "";
        if (format) void keep(format);
      }}
    >
      <option value="">Save as…</option>
      <Options of={formats.map(({ title }) => [title, title])} />
    </select>
  );
}
