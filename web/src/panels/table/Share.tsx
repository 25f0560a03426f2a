/** A share as a bar with its figure. */

import { shareText } from "../../state/format";

interface ShareProps {
  percent: number | null;
  /** Percentages from which the bar shows a warning. */
  warns?: { from: number; critical: number };
}

export function Share({ percent, warns }: ShareProps) {
  if (percent === null) return <span class="muted">–</span>;
  const grave =
    warns === undefined || percent < warns.from
      ? ""
      : percent < warns.critical
        ? "warning"
        : "critical";
  const width = `${Math.max(0, Math.min(percent, 100))}%`;
  return (
    <span class={`share ${grave}`}>
      <span class="fill" style={{ width }} />
      <span class="text">{shareText(percent)}</span>
    </span>
  );
}
