/** Adds or changes a bookmark with a note at an event, at a time or on a range. */

import { useSignal } from "@preact/signals";
import { useState } from "preact/hooks";
import { bookmarkAt, putBookmark } from "../../panels/bookmarks/edit-bookmarks";
import type { DraftPlace } from "../../panels/bookmarks/new-bookmark";
import type { TraceState } from "../../state/trace";
import { textOf } from "../controls";
import { FormDialog } from "./FormDialog";
import { closeDialog } from "./open-dialog";

export function BookmarkDialog({ trace, draft }: { trace: TraceState; draft: DraftPlace }) {
  const { place, text } = draft;
  // The one that the user sees: another page may change it meanwhile.
  const [known] = useState(() => bookmarkAt(trace, place));
  const note = useSignal(known?.note ?? "");
  const save = async () => {
    await putBookmark(trace, { ...place, note: note.value.trim() }, known);
    closeDialog();
  };
  return (
    <FormDialog
      title={`${known ? "Bookmark" : "New bookmark"} ${text}`}
      action="Save"
      submit={() => void save()}
    >
      <label>
        Note
        <textarea
          autofocus
          rows={3}
          maxLength={1000}
          {...textOf(note)}
          onKeyDown={(key) => {
            if (key.key === "Enter" && !key.shiftKey) {
              key.preventDefault();
              key.currentTarget.form?.requestSubmit();
            }
          }}
        />
      </label>
    </FormDialog>
  );
}
