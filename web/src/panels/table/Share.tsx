/** A share as a bar with its figure. */

import { shareText } from "../../state/format";

interface ShareProps {
  percent: number | null;
  /** Percentages from which the bar shows a warning, and is critical. */
  warns?: readonly [number, number] | null;
}

export function Share({ percent, warns }: ShareProps) {
  if (percent === null) return <span class="muted">–</span>;
  const grave = !warns || percent < warns[0] ? "" : percent < warns[1] ? "warning" : "critical";
  const width = `${Math.max(0, Math.min(percent, 100))}%`;
  return (
    <span class={`share ${grave}`}>
      <span class="fill" style={{ width }} />
      <span class="text">{shareText(percent)}</span>
    </span>
  );
}
