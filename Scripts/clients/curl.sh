#!/usr/bin/env bash
set -e
echo "200 $(curl "$@" -sf "$BASE/get?text=a+b")"
curl "$@" -s -o body -H 'Content-Type: application/json' -d '{"barn": 1}' "$BASE/json"
echo "201 $(cat body)"
echo "200 $(printf chunked | curl "$@" -sf -H 'Transfer-Encoding: chunked' -H 'Content-Type: text/plain' --data-binary @- "$BASE/chunked")"
curl "$@" -sf -o body -I -w '%{http_code}\n' "$BASE/get?text=a+b"
curl "$@" -sfN "$BASE/stream" | sed -n 's/^data: //p' | paste -sd ,
