/**
 * Reports, as far as the viewer reads them. `crates/analysis/src/report` has all fields, and
 * `described_table.rs` there the tables.
 */

export interface Finding {
  severity: "critical" | "warning" | "note";
  /** What it is about, such as `loss`. */
  category: string;
  message: string;
  event: number | null;
  start: number | null;
  end: number | null;
}

/** CPU time of a context. */
export interface ProfileRow {
  context: string;
  kind: "thread" | "isr" | "kernel" | "idle" | "initialize" | "unknown";
  duration: number;
  percent: number | null;
}

/** The JSON of `rtoscope report`. */
export interface ReportDocument {
  schema: string;
  findings: Finding[];
  profile?: ProfileRow[];
}

/** CPU load in windows. */
export interface Load {
  window: number;
  start: number[];
  end: number;
  busy: (number | null)[];
  peak: { window: number; start: number; percent: number } | null;
}

/** A distribution of durations, in ticks. */
export interface Distribution {
  count: number;
  min: number;
  mean: number;
  p50: number;
  p90: number;
  p99: number;
  max: number;
  /** The event at which the longest ended. */
  event: number;
  /** The interval of the longest, and its context; `null` if it is none or not known. */
  longest: (TimeSpan & { context_number: number | null }) | null;
  histogram: { min: number; max: number; count: number }[];
}

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
  findings: Finding[];
  load: Load | null;
  /** What cycles can begin with. */
  anchors: string[];
  tables: DescribedTable[];
}

/** Where the time of a critical path went. */
export interface CriticalPathReport {
  event: number;
  /** The context that it explains. */
  context: string;
  start: number;
  end: number;
  duration: number;
  origin: string;
  origin_text: string;
  segments: PathSegmentRow[];
  contexts: PathContextTotal[];
  causes: PathCauseTotal[];
}

export interface PathSegmentRow {
  start: number;
  end: number;
  duration: number;
  event: number;
  context: string;
  /** Number of the context, if it is a thread. */
  thread: number | null;
  core: number | null;
  isr: number | null;
  runs: boolean;
  cause: string;
  blocks: string | null;
  resumes: { event: number; context: string; waited: string } | null;
}

export interface PathContextTotal {
  context: string;
  duration: number;
  share: number | null;
}

export interface PathCauseTotal extends PathContextTotal {
  cause: string;
  event: number;
}
