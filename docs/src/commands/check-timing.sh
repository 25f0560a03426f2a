#!/bin/sh
# Checks the timing of a build: recordings against rules, and against those of the main branch.
#
#   check-timing.sh RULES BASELINE FILE...
#
# RTOSCOPE_OPTIONS has options for all calls of rtoscope, such as the clock. Writes summary.md, for
# the merge request, and timing.xml (JUnit). Exits with 0 if nothing got worse, with 1 if something
# did, with 2 if the check itself failed, and with 3 if something could not be decided.
set -u
rules=$1 baseline=$2
shift 2
status=0
# Keeps the exit code that says most: an error, then a failure, then an undecided check.
rate() {
    case $1,$status in
        0,*) ;;
        1,[03]) status=1 ;;
        3,0) status=3 ;;
        [13],*) ;;
        *) status=2 ;;
    esac
}

# The options are words.
# shellcheck disable=SC2086
{
    rtoscope check ${RTOSCOPE_OPTIONS-} --rules "$rules" --format junit --output timing.xml "$@"
    rate $?
    rtoscope check ${RTOSCOPE_OPTIONS-} --rules "$rules" --format markdown "$@" >summary.md
    echo >>summary.md
    rtoscope compare ${RTOSCOPE_OPTIONS-} --baseline "$baseline" --fail-above 10 \
        --format markdown "$@" >>summary.md
    rate $?
}
exit $status
