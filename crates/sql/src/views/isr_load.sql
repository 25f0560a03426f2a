-- how often interrupt service routines were activated, and how long they took
--
-- Of a routine of which neither entries nor exits are recorded it is not known how long it
-- executed.
--
-- Columns
--   file: the recording
--   recording_id: identifies it
--   isr: the routine
--   number: its number
--   activations: how often it began
--   own: how long it executed itself, without routines that interrupted it, in ticks
--   own_ns: the same in nanoseconds
--   percent: the same of the time of all cores; none where the clock does not measure time
--   longest: its longest activation recorded from entry to exit, with routines that interrupted
--     it, in ticks
--   longest_ns: the same in nanoseconds
SELECT
  i.file,
  i.recording_id,
  i.isr,
  i.number,
  i.activations,
  coalesce(c.duration, i.none) AS own,
  coalesce(c.duration_ns, CASE WHEN t.span_ns IS NOT NULL THEN i.none END) AS own_ns,
  CASE WHEN t.clock_quality IN ('good', 'unknown') THEN
    100.0 * coalesce(c.duration, i.none) / nullif(CAST(t.span AS DOUBLE) * t.cores, 0)
  END AS percent,
  i.longest,
  i.longest_ns
FROM (
  SELECT
    file,
    recording_id,
    isr,
    number,
    count(*) AS activations,
    -- It took no time, if there are no slices of it.
    max(CASE WHEN entered OR exited THEN 0 END) AS none,
    max(CASE WHEN entered AND exited THEN duration END) AS longest,
    max(CASE WHEN entered AND exited THEN duration_ns END) AS longest_ns
  FROM isrs
  GROUP BY file, recording_id, isr, number
) AS i
JOIN trace AS t ON t.recording_id = i.recording_id
LEFT JOIN cpu_time AS c ON c.what = 'isr' AND c.recording_id = i.recording_id AND c.isr = i.isr
