#!/bin/sh
# Three calls of a running server: npx mnemosyne-edge serve, then sh examples/server-curl.sh
set -eu
ada="${MNEMOSYNE_URL:-http://127.0.0.1:7373}/v1/persons/ada"

curl -sf "$ada/interactions?wait=true" -H 'content-type: application/json' \
  -d '{"text": "I am allergic to penicillin.", "id": "allergy", "at": "2025-03-01T10:00:00Z"}'
echo
curl -sf "$ada/recall" -H 'content-type: application/json' \
  -d '{"query": "What am I allergic to?", "seed": 1, "at": "2025-03-05T10:00:00Z"}'
echo
curl -sf "$ada/memories?limit=1"
echo
