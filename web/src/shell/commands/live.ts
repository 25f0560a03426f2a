/** Commands for live traces. */

import type { LiveTrace } from "../../state/live/live-trace";
import { active } from "../../state/viewer";
import { openTargetMenu } from "../live/TargetMenu";
import { type Command, commandsOf } from "./command";

const { plain } = commandsOf("Live");
const live = (): LiveTrace | null => active.value?.live ?? null;
const isApplicable = () => live() !== null;
const isFollowing = () => active.value?.isFollowing.value === true;

export const liveCommands: readonly Command[] = [
  plain(
    "follow",
    "Follow the recording, or pause",
    ["K"],
    () => {
      if (isFollowing()) live()?.pause();
      else live()?.follow();
    },
    { isApplicable, pressed: isFollowing },
  ),
  plain("older", "Load older events from disk", ["Shift+PageUp"], () => void live()?.older(), {
    icon: "older",
    isApplicable,
    enabled: () => live()?.shown.value?.has_older === true && live()?.isFetching.value !== true,
  }),
  plain("newer", "Back to newer events", ["Shift+PageDown"], () => void live()?.newer(), {
    icon: "follow",
    isApplicable,
    enabled: () => live()?.hasNewer.value === true && live()?.isFetching.value !== true,
  }),
  plain("target", "Command the target", ["Shift+K"], openTargetMenu, {
    isApplicable,
    enabled: () => live()?.status.value?.takes_commands === true,
    hint: "Nothing can be sent to this source.",
  }),
];
