-- Figures of each recording, for comparing recordings
--
-- The sums have an exact divisor, so that figures of several recordings can be added up: their
-- common value is the sum of `total` divided by that of `divisor`. Threads and routines of one name
-- count as one.
--
-- Metrics are `cpu_share`, the share of the time of all cores; `cpu_time_per_wake_up`, the CPU time
-- of a thread divided by the number of times that it was resumed; `wake_up_latency`, the mean time
-- from resuming a thread until it ran; `isr_duration`, the mean duration of an activation, including
-- the routines that interrupted it; and `step_duration`, the mean duration of a step of an active
-- object. Recordings whose clock does not measure time, or has no known frequency, have none.
--
-- Columns
--   file: the recording
--   recording_id: identifies the recording
--   metric: name of the figure
--   kind: `thread`, `isr`, `kernel`, `idle`, `initialize`, `unknown`
--   subject: name of the thread, routine or active object
--   unit: unit of the value: `ns`, or `1` for a share
--   total: sum of the times, in nanoseconds
--   divisor: number of times, or for a share, the time of all cores in nanoseconds
--   value: `total / divisor`
SELECT
  file,
  recording_id,
  metric,
  kind,
  subject,
  CASE metric WHEN 'cpu_share' THEN '1' ELSE 'ns' END AS unit,
  sum(total) AS total,
  sum(divisor) AS divisor,
  CAST(sum(total) AS DOUBLE) / sum(divisor) AS value
FROM (
  SELECT
    c.file,
    c.recording_id,
    'cpu_share' AS metric,
    c.kind,
    coalesce(c.isr, c.context) AS subject,
    sum(c.duration_ns) AS total,
    max(r.span_ns) * max(r.cores) AS divisor
  FROM cpu_time AS c
  JOIN recordings AS r ON r.recording_id = c.recording_id
  WHERE r.span_ns > 0
  GROUP BY c.file, c.recording_id, c.kind, coalesce(c.isr, c.context)
  UNION ALL
  SELECT
    c.file,
    c.recording_id,
    'cpu_time_per_wake_up' AS metric,
    c.kind,
    c.context AS subject,
    c.duration_ns AS total,
    w.wake_ups AS divisor
  FROM cpu_time AS c
  JOIN (
    SELECT recording_id, context_id, count(*) AS wake_ups
    FROM wake_up_latencies
    GROUP BY recording_id, context_id
  ) AS w ON w.recording_id = c.recording_id AND w.context_id = c.context_id
  WHERE c.kind = 'thread'
  UNION ALL
  SELECT
    file,
    recording_id,
    'wake_up_latency' AS metric,
    'thread' AS kind,
    context AS subject,
    sum(latency_ns) AS total,
    count(*) AS divisor
  FROM wake_up_latencies
  WHERE complete
  GROUP BY file, recording_id, context
  UNION ALL
  SELECT
    file,
    recording_id,
    'isr_duration' AS metric,
    'isr' AS kind,
    isr AS subject,
    sum(duration_ns) AS total,
    count(*) AS divisor
  FROM isrs
  WHERE entered AND exited
  GROUP BY file, recording_id, isr
  UNION ALL
  SELECT
    file,
    recording_id,
    'step_duration' AS metric,
    'thread' AS kind,
    object AS subject,
    sum(duration_ns) AS total,
    count(*) AS divisor
  FROM steps
  WHERE ending NOT IN ('lost', 'unrecorded', 'open')
  GROUP BY file, recording_id, object
) AS figures
WHERE total IS NOT NULL
GROUP BY file, recording_id, metric, kind, subject
