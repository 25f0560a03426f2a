/** Status of a live recording, and whether the view follows it. */

import { useComputed } from "@preact/signals";
import { connection } from "../../session/connection";
import type { LiveStatus } from "../../session/wire";
import { countText, plural } from "../../state/format";
import type { LiveTrace } from "../../state/live/live-trace";
import { CommandButton } from "../CommandButton";
import { command } from "../commands";
import { Button } from "../controls";
import { Icon } from "../Icon";
import { bytesText, connectionText, lossesText } from "./status-text";
import { TargetMenu } from "./TargetMenu";
import "./live.css";

export function LiveBar({ live }: { live: LiveTrace }) {
  const status = live.status.value;
  const away = live.outage.value;
  return (
    <section class="live-bar" aria-label="Live recording">
      <FollowButton live={live} />
      <HistoryButtons live={live} />
      <FollowStatus live={live} />
      {status?.takes_commands && <TargetMenu live={live} />}
      {status !== null && <RecordingFigures status={status} />}
      <Announcer live={live} />
      {away !== null && connection.value === "open" && (
        <span class="live-problem critical" role="alert">
          <Icon name="warning" /> {away} The current view is kept.
        </span>
      )}
      {status?.decode_error != null && (
        <span class="live-problem critical">
          <Icon name="warning" /> {status.decode_error}
        </span>
      )}
      {status?.saved?.error != null && (
        <span class="live-problem critical">
          <Icon name="warning" /> Saving stopped: {status.saved.error}
        </span>
      )}
    </section>
  );
}

function FollowButton({ live }: { live: LiveTrace }) {
  const isFollowing = live.trace.isFollowing.value;
  if (live.hasEnded.value && !isFollowing) {
    return (
      <Button
        class="live-follow"
        title="The recording has ended; click to show all of it"
        onClick={command("zoom-whole").run}
      >
        <Icon name="pause" />
        Ended
      </Button>
    );
  }
  return (
    <Button
      class="live-follow"
      aria-pressed={isFollowing}
      onClick={command("follow").run}
      disabled={isFollowing && live.shown.value === null}
      title={isFollowing ? "The view follows the recording (K pauses)" : "Follow the recording (K)"}
    >
      <Icon name={isFollowing ? "pause" : "follow"} />
      {isFollowing ? "Pause" : "Follow"}
    </Button>
  );
}

/** Buttons for older and newer events, if there are any. */
function HistoryButtons({ live }: { live: LiveTrace }) {
  const hasOlder = live.shown.value?.has_older === true;
  if (live.trace.isFollowing.value || !(hasOlder || live.hasNewer.value)) return null;
  return (
    <span>
      <CommandButton id="older" />
      <CommandButton id="newer" />
    </span>
  );
}

/** Whether the view follows, and how far behind it is. */
function FollowStatus({ live }: { live: LiveTrace }) {
  if (live.isFetching.value) return <span class="live-standing">Fetching…</span>;
  if (live.trace.isFollowing.value) return <span class="live-standing">Following</span>;
  if (live.hasEnded.value && live.lag.value === 0) return null;
  return (
    <span class="live-standing paused">Paused – {plural(live.lag.value, "event")} behind</span>
  );
}

function RecordingFigures({ status }: { status: LiveStatus }) {
  const { word, text } = connectionText(status);
  const { events_per_second: rate, bytes_per_second: bytes, saved, queued_bytes: waiting } = status;
  const losses = lossesText(status);
  return (
    <>
      <span class={`live-connection ${status.connection.state}`} title={text}>
        <span class="live-dot" aria-hidden="true" /> <b>{word}</b> {text}
      </span>
      <span class="live-figure" data-testid="live-rate">
        <b>{countText(rate)}</b> events/s, <b>{bytesText(bytes)}</b>/s
      </span>
      <span class="live-figure">
        <b>{countText(status.total_events)}</b> events, <b>{bytesText(status.bytes)}</b> total
      </span>
      {losses !== "" && <span class="live-figure warning">{losses}</span>}
      {waiting > 0 && <span class="live-figure">{bytesText(waiting)} waiting to be decoded</span>}
      {saved !== null && (
        <span class="live-figure" title={saved.folder}>
          saved in <span class="live-folder">{saved.folder}</span> ({bytesText(saved.bytes)})
        </span>
      )}
    </>
  );
}

/** Announces changes of the state to screen readers. */
function Announcer({ live }: { live: LiveTrace }) {
  const said = useComputed(() => {
    const { word, text } = connectionText(live.status.value);
    const view = live.trace.isFollowing.value ? "following" : "paused";
    return `${word} ${text}: ${view}.`;
  });
  return (
    <span class="hidden-text" role="status" aria-live="polite">
      {said}
    </span>
  );
}

/** Badge of a live trace in its tab. */
export function LiveBadge({ live }: { live: LiveTrace }) {
  const state =
    live.outage.value === null ? (live.status.value?.connection.state ?? "waiting") : "away";
  const { word } = connectionText(live.status.value);
  const title = state === "away" ? "The server does not answer" : word;
  return (
    <span class={`live-badge ${state}`} title={title}>
      <span class="live-dot" aria-hidden="true" />
      live
    </span>
  );
}

/** What a live recording without events waits for, in place of its picture. */
export function LiveHint({ live }: { live: LiveTrace }) {
  if (live.trace.overview.events > 0) return null;
  const status = live.status.value;
  const { word, text } = connectionText(status);
  return (
    <p class="live-hint">
      <b>
        {word} {text}
      </b>
      <span>
        {live.hasEnded.value
          ? "The recording has no events."
          : "Events appear here as soon as the target sends them."}
      </span>
    </p>
  );
}
