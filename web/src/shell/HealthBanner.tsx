/** Banner with the most severe diagnostic or finding, until dismissed. */

import { signal } from "@preact/signals";
import { PlaceLink } from "../panels/PlaceLink";
import { useFindings } from "../panels/reports/useReport";
import { problems } from "../panels/trace-info/problems";
import { groupedText } from "../state/format";
import { settings } from "../state/settings";
import type { TraceState } from "../state/trace";
import { Button, IconButton, set } from "./controls";
import { Icon } from "./Icon";
import "./health-banner.css";

const dismissed = signal<ReadonlySet<number>>(new Set());

interface HealthBannerProps {
  trace: TraceState;
  /** Name of the banner. */
  label?: string;
}

export function HealthBanner({ trace, label = "Trace health" }: HealthBannerProps) {
  const { answer } = useFindings(trace, true);
  if (dismissed.value.has(trace.id)) return null;
  const concerns = problems(trace.overview, answer);
  const [first] = concerns;
  if (!first) return null;
  const more = concerns.length - 1;
  return (
    <aside class={`health-banner ${first.severity}`} aria-label={label}>
      <Icon name="warning" />
      <span class="message" title={first.message}>
        {groupedText(first.message)}
      </span>
      {first.event !== null && (
        <PlaceLink trace={trace} place={{ event: first.event, interval: first.interval }} />
      )}
      <Button class="link" onClick={set(settings.sidePanel, "trace")}>
        {more > 0 ? `and ${more} more` : "more"}
      </Button>
      <IconButton
        icon="close"
        label="Dismiss"
        onClick={() => {
          dismissed.value = new Set([...dismissed.value, trace.id]);
        }}
      />
    </aside>
  );
}
