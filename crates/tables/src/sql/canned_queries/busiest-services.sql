-- Which services are called most?
--
-- Columns
--   file: the recording
--   kind: the kind of event
--   component: component that the kind belongs to
--   count: number of events
--   percent: share of all events of the recording
--   contexts: number of contexts that logged them
--
-- Parameters
--   n=20: rows per recording
SELECT file, kind, component, count, round(percent, 3) AS percent, contexts
FROM (
  SELECT
    file,
    recording_id,
    kind,
    number,
    component,
    count,
    contexts,
    100.0 * count / sum(count) OVER (PARTITION BY recording_id) AS percent,
    row_number() OVER (PARTITION BY recording_id ORDER BY count DESC, number) AS rank
  FROM (
    SELECT
      file,
      recording_id,
      kind,
      number,
      component,
      sum(count) AS count,
      count(*) AS contexts
    FROM service_counts
    GROUP BY file, recording_id, kind, number, component
  )
)
WHERE rank <= $n
ORDER BY file, recording_id, rank
