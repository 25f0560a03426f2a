"""Adds the recordings of a manifest to the tables of a fleet, as a Spark job.

    spark-submit spark_ingest.py MANIFEST TABLES [TASKS]

The manifest is that of `rtoscope ingest`, in CSV, with absolute paths or URLs; the workers must
reach them, and need the programs `rtoscope` and `rtoscope-fleet`. Each task adds its part of the
recordings and returns what it counted. The job fails if a recording cannot be decoded or a store
cannot be reached; it can be repeated, because a recording is added once only.
"""

import csv
import os
import re
import subprocess
import sys
import tempfile

from pyspark.sql import SparkSession

RTOSCOPE = os.environ.get("RTOSCOPE_BIN", "rtoscope")
COUNTS = ("added", "known", "failed")
BATCH = re.compile(r"batch \d+ of \d+: (\d+) recordings added, (\d+) known before, (\d+) failed")


def ingest(tables, rtoscope=RTOSCOPE):
    """The function of a task: it adds the rows of a manifest to `tables`."""

    def add(rows):
        rows = [row.asDict() for row in rows]
        if not rows:
            return
        with tempfile.TemporaryDirectory() as folder:
            manifest = os.path.join(folder, "manifest.csv")
            with open(manifest, "w", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, rows[0].keys())
                writer.writeheader()
                writer.writerows(rows)
            command = [rtoscope, "ingest", "--manifest", manifest, "--to", tables]
            result = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
        batches = [map(int, counts) for counts in BATCH.findall(result.stderr)]
        counts = map(sum, zip(*batches)) if batches else (0, 0, 0)
        counts = dict(zip(COUNTS, counts), recordings=len(rows))
        yield {**counts, "errors": result.stderr if result.returncode else None}

    return add


def main(manifest, tables, tasks=None):
    """Runs the job; returns the exit code."""
    spark = SparkSession.builder.appName("rtoscope ingest").getOrCreate()
    recordings = spark.read.csv(manifest, header=True)
    recordings = recordings.repartition(int(tasks or spark.sparkContext.defaultParallelism))
    counts = recordings.rdd.mapPartitions(ingest(tables)).collect()
    for name in ("recordings", *COUNTS):
        print(name, sum(count[name] for count in counts))
    errors = [count["errors"] for count in counts if count["errors"]]
    print(*errors, sep="\n", end="", file=sys.stderr)
    spark.stop()
    return 2 if errors else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
