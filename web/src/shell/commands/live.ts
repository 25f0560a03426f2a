/** Commands for live traces. */

import type { LiveTrace } from "../../state/live/live-trace";
import { active } from "../../state/viewer";
import { openTargetMenu } from "../live/TargetMenu";
import type { Command } from "./command";

const group = "Live";
const live = (): LiveTrace | null => active.value?.live ?? null;
const isApplicable = () => live() !== null;
const isFollowing = () => active.value?.isFollowing.value === true;

export const liveCommands: readonly Command[] = [
  {
    id: "follow",
    title: "Follow the recording, or pause",
    keys: ["K"],
    group,
    isApplicable,
    pressed: isFollowing,
    run: () => {
      if (isFollowing()) live()?.pause();
      else live()?.follow();
    },
  },
  {
    id: "older",
    title: "Load older events from disk",
    keys: ["Shift+PageUp"],
    group,
    icon: "older",
    isApplicable,
    enabled: () => live()?.shown.value?.has_older === true && live()?.isFetching.value !== true,
    run: () => void live()?.older(),
  },
  {
    id: "newer",
    title: "Back to newer events",
    keys: ["Shift+PageDown"],
    group,
    icon: "follow",
    isApplicable,
    enabled: () => live()?.hasNewer.value === true && live()?.isFetching.value !== true,
    run: () => void live()?.newer(),
  },
  {
    id: "target",
    title: "Command the target",
    keys: ["Shift+K"],
    group,
    isApplicable,
    enabled: () => live()?.status.value?.takes_commands === true,
    hint: "Nothing can be sent to this source.",
    run: openTargetMenu,
  },
];
