# SPDX-License-Identifier: Apache-2.0
# The lines that run_items writes, {name, result, seconds, processor_seconds, log, ...}, as one JSON document (FORM=json) or as
# JUnit XML (FORM=junit).
#   jq -s -r --arg form json --arg command "make test" --arg commit ... -f results.jq LINES
def count($result): map(select(.result == $result)) | length;
# XML knows no control characters.
def xml: tostring | explode | map(if . >= 32 or . == 9 or . == 10 then . else 63 end) | implode | @html;

if $form == "json" then
    {command: $command, commit: $commit, passed: count("pass"), failed: count("fail"), skipped: count("skip"),
     seconds: (map(.seconds) | add // 0), processor_seconds: (map(.processor_seconds) | add // 0),
     items: map({name, result, seconds, processor_seconds, log})}
else
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
    "<testsuite name=\"\($command | xml)\" tests=\"\(length)\" failures=\"\(count("fail"))\""
        + " skipped=\"\(count("skip"))\" time=\"\(map(.seconds) | add // 0)\">",
    (.[] | "  <testcase classname=\"moehub\" name=\"\(.name | xml)\" time=\"\(.seconds)\">"
        + (if .result == "fail" then "<failure message=\"\(.message | xml)\">\(.tail | xml)</failure>"
           elif .result == "skip" then "<skipped message=\"\(.message | xml)\"/>" else "" end)
        + "</testcase>"),
    "</testsuite>"
end
