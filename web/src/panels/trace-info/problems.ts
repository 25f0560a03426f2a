/** Diagnostics and findings about missing or suspicious data. */

import type { Finding, ReportDocument } from "../../session/reports";
import type { Overview } from "../../session/wire";
import { plural } from "../../state/format";
import { intervalOf, type TickInterval } from "../PlaceLink";

/** A diagnostic or finding with its severity. */
export interface Problem {
  severity: "critical" | "warning";
  message: string;
  event: number | null;
  interval?: TickInterval | null;
}

const isProblem = (finding: Finding): finding is Finding & { severity: "critical" | "warning" } =>
  finding.severity !== "note";

/** Problems that the user should know before relying on the view, most severe first. */
export function problems(overview: Overview, report: ReportDocument | null): Problem[] {
  const found: Problem[] = overview.diagnostics.flatMap(({ severity, message, event }) => {
    if (severity !== "warning" && severity !== "error") return [];
    return [{ severity: severity === "error" ? "critical" : "warning", message, event }];
  });
  const losses = overview.gaps.filter(({ restart }) => !restart);
  const [gap] = losses;
  const findings = report?.findings.filter(isProblem) ?? [];
  if (gap && !findings.some(({ category }) => category === "loss")) {
    const message = `Events are missing: ${plural(losses.length, "gap")}.`;
    found.push({ severity: "warning", message, event: gap.event });
  }
  found.push(
    ...findings.map((finding) => ({
      severity: finding.severity,
      message: finding.message,
      event: finding.event,
      interval: intervalOf(finding),
    })),
  );
  return found.toSorted(
    (one, other) => Number(one.severity === "warning") - Number(other.severity === "warning"),
  );
}

/** Finding categories that mean an incomplete recording. */
const INCOMPLETE: readonly string[] = ["loss", "filtered", "unfinished-isr"];

/** Text shown if there are no diagnostics; data may still be missing. */
export function soundnessText(overview: Overview, report: ReportDocument | null): string {
  const hasLosses = overview.gaps.some(({ restart }) => !restart);
  const isIncomplete =
    report?.findings.some(({ category }) => INCOMPLETE.includes(category)) ?? false;
  if (hasLosses || isIncomplete) {
    return "The file decodes without errors, but the recording is incomplete: see the findings and gaps.";
  }
  return report === null
    ? "The file decodes without errors."
    : "No problems found in the recording.";
}
