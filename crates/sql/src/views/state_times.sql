-- how long state machines stayed in which state
--
-- Columns
--   file: the recording
--   recording_id: identifies it
--   object: whose machine
--   context_id: its number
--   state: the state
--   stays: how often it was in it
--   duration: how long altogether, as far as is known, in ticks
--   duration_ns: the same in nanoseconds
--   longest: the longest stay whose end is known, in ticks
--   percent: its share of the whole time of the recording, as in the report `states`; none where
--     the clock does not measure time
SELECT
  s.file,
  s.recording_id,
  s.object,
  s.context_id,
  s.state,
  s.stays,
  s.duration,
  s.duration_ns,
  s.longest,
  CASE WHEN t.clock_quality IN ('good', 'unknown') THEN
    100.0 * s.duration / nullif(CAST(t.span AS DOUBLE), 0)
  END AS percent
FROM (
  SELECT
    file,
    recording_id,
    object,
    context_id,
    state,
    count(*) AS stays,
    sum(duration) AS duration,
    sum(duration_ns) AS duration_ns,
    max(CASE WHEN whole THEN duration END) AS longest
  FROM stays
  GROUP BY file, recording_id, object, context_id, state
) AS s
JOIN trace AS t ON t.recording_id = s.recording_id
