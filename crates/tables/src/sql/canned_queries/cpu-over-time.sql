-- How is CPU time distributed over the recording?
--
-- Divides each recording into windows of equal length.
--
-- Columns
--   file: the recording
--   window_number: number of the window, from 0
--   start: start of the window, in ticks
--   kind: kind of context: `thread`, `isr`, `kernel`, `idle`, `initialize`, `unknown`
--   context_id: number of the context
--   context: name of the context
--   duration: CPU time in the window, on all cores, in ticks
--   percent: share of the time of all cores in the window; null if the clock does not count time
--
-- Parameters
--   n=10: number of windows
WITH
  widths AS (
    -- Plus one tick, so that the windows cover the whole span: the last one can be shorter.
    SELECT file, recording_id, start, span / $n + 1 AS width, measures_time(clock_quality) AS is_timed
    FROM recordings
  ),
  running AS (
    SELECT
      s.file,
      s.recording_id,
      s.kind,
      s.context_id,
      s.context,
      s.start - r.start AS start,
      s."end" - r.start AS stop,
      r.start AS base,
      r.width,
      r.is_timed
    FROM slices AS s
    JOIN widths AS r ON r.recording_id = s.recording_id
    WHERE s.duration > 0
  ),
  pieces AS (
    SELECT r.*, unnest(generate_series(r.start / r.width, (r.stop - 1) / r.width)) AS window_number
    FROM running AS r
  ),
  sums AS (
    SELECT
      file,
      recording_id,
      window_number,
      base + window_number * width AS start,
      kind,
      context_id,
      context,
      is_timed,
      sum(least(stop, (window_number + 1) * width) - greatest(start, window_number * width)) AS duration
    FROM pieces
    GROUP BY file, recording_id, window_number, base, width, is_timed, kind, context_id, context
  )
SELECT
  file,
  window_number,
  start,
  kind,
  context_id,
  context,
  duration,
  CASE WHEN is_timed THEN
    round(100.0 * duration / sum(duration) OVER (PARTITION BY recording_id, window_number), 3)
  END AS percent
FROM sums
ORDER BY file, recording_id, window_number, duration DESC, kind, context_id
