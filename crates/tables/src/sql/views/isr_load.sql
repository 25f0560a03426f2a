-- Activations and CPU time of interrupt service routines
--
-- If neither entries nor exits of a routine are recorded, its CPU time is unknown.
--
-- Columns
--   file: the recording
--   recording_id: identifies the recording
--   isr: the routine
--   number: number of the routine
--   activations: number of activations
--   self_duration: CPU time without the routines that interrupted it, in ticks
--   self_duration_ns: the same in nanoseconds
--   percent: the same as a share of the time of all cores; null if the clock does not count time
--   max_duration: duration of the longest activation recorded from entry to exit, including the
--     routines that interrupted it, in ticks
--   max_duration_ns: the same in nanoseconds
SELECT
  i.file,
  i.recording_id,
  i.isr,
  i.number,
  i.activations,
  coalesce(c.duration, i.none) AS self_duration,
  coalesce(c.duration_ns, CASE WHEN r.span_ns IS NOT NULL THEN i.none END) AS self_duration_ns,
  CASE WHEN measures_time(r.clock_quality) THEN
    100.0 * coalesce(c.duration, i.none) / nullif(CAST(r.span AS DOUBLE) * r.cores, 0)
  END AS percent,
  i.max_duration,
  i.max_duration_ns
FROM (
  SELECT
    file,
    recording_id,
    isr,
    number,
    count(*) AS activations,
    -- The CPU time of a routine without slices is 0.
    max(CASE WHEN entered OR exited THEN 0 END) AS none,
    max(CASE WHEN entered AND exited THEN duration END) AS max_duration,
    max(CASE WHEN entered AND exited THEN duration_ns END) AS max_duration_ns
  FROM isrs
  GROUP BY file, recording_id, isr, number
) AS i
JOIN recordings AS r ON r.recording_id = i.recording_id
LEFT JOIN cpu_time AS c ON c.kind = 'isr' AND c.recording_id = i.recording_id AND c.isr = i.isr
