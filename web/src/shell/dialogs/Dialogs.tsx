/** The open dialog, if any. */

import { draftPlace } from "../../panels/bookmarks/new-bookmark";
import { active } from "../../state/viewer";
import { BookmarkDialog } from "./BookmarkDialog";
import { ClockDialog } from "./ClockDialog";
import { CompareDialog } from "./CompareDialog";
import { GoTo } from "./GoTo";
import { KeyHelp } from "./KeyHelp";
import { LaneDialog } from "./LaneDialog";
import { dialogLane, openDialog } from "./open-dialog";
import { Palette } from "./Palette";

export function Dialogs() {
  const name = openDialog.value;
  const trace = active.value;
  if (name === "palette") return <Palette />;
  if (name === "keys") return <KeyHelp />;
  if (trace === null) return null;
  if (name === "go-to") return <GoTo trace={trace} />;
  if (name === "clock") return <ClockDialog trace={trace} />;
  if (name === "compare") return <CompareDialog trace={trace} />;
  if (name === "lane") return <LaneDialog trace={trace} number={dialogLane.value} />;
  const draft = draftPlace.value;
  if (name === "bookmark" && draft) return <BookmarkDialog trace={trace} draft={draft} />;
  return null;
}
