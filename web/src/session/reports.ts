/**
 * Reports, as far as the viewer reads them. `documents.ts` has all of the JSON;
 * `crates/analysis/src/report/described_table.rs` has the tables.
 */

import type * as documents from "./documents";

export type {
  ComparedFigure,
  ComparisonDocument,
  CriticalPathReport,
  FigureDetails,
  FigureUnit,
  Finding,
  OverlaidHistogram,
  PathCauseTotal,
  PathContextTotal,
  PathSegmentRow,
  RecordingFigures,
  Subject,
  Verdict,
} from "./documents";

/** CPU time of a context. */
export type ProfileRow = Pick<documents.ProfileRow, "context" | "kind" | "duration" | "percent">;

/** The JSON of `rtoscope report`. */
export type ReportDocument = Pick<documents.ReportDocument, "schema" | "findings"> & {
  profile?: ProfileRow[];
};

/** CPU load in windows. */
export type Load = Pick<documents.Load, "window" | "start" | "end" | "busy" | "peak">;

/** A distribution of durations, in ticks; in tables, with the interval and context of the longest. */
export type Distribution = documents.Distribution & {
  longest?: (TimeSpan & { context_number: number | null }) | null;
};

/** A span of time. */
export interface TimeSpan {
  start: number;
  end: number;
}

/** An interval of time, and the event with which it starts. */
export interface TimeInterval extends TimeSpan {
  event: number | null;
}

/** A name of something that the viewer shows elsewhere. */
export type Link = { text: string } & (
  | { target: "event-kind"; id: number }
  | { target: "object"; class: string; address: string }
  | { target: "active-object"; address: string }
);

/** Durations in ticks, parts of a whole, by name. */
export type Shares = [name: string, ticks: number][];

/** A cell by the kind of its column; `null` if unknown or not applicable. */
export interface CellOf {
  text: string;
  thread: string;
  link: Link;
  address: string;
  count: number;
  decimal: number;
  duration: number;
  interval: TimeInterval;
  shares: Shares;
  percent: number;
  event: { event: number };
  flag: boolean;
  distribution: Distribution;
}

export type CellKind = keyof CellOf;
export type Row = readonly (CellOf[CellKind] | null)[];

/** A column of a table, or a figure of a list. */
export interface ColumnDescription {
  key: string;
  label: string;
  kind: CellKind;
  /** The unit, unless the value is a duration; can be empty. */
  unit: string;
  /** An explanation; can be empty. */
  hint: string;
  /** Shown for a missing value; can be empty. */
  missing: string;
  /** The percentages from which on a value is a warning, and critical. */
  warns: [number, number] | null;
}

/** A table of a report with its rows. */
export interface DescribedTable {
  /** Path of the rows in the JSON of `rtoscope report`. */
  path: string;
  title: string;
  /** The row of another table to which the rows belong. */
  of?: string;
  note: string;
  empty: string;
  /** Key of the column whose highest values matter most; can be empty. */
  rank: string;
  /** Whether the cells of the only row are a list of figures. */
  is_figures: boolean;
  columns: ColumnDescription[];
  rows: Row[];
}

/** Reports as tables. */
export interface ReportTables {
  schema: string;
  events: number;
  start: number;
  end: number;
  span: number;
  findings: documents.Finding[];
  load: Load | null;
  /** What cycles can begin with. */
  anchors: string[];
  tables: DescribedTable[];
}
