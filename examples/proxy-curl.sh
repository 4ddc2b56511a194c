#!/bin/sh
# A memory for anything that can send a request. Start it first: mnemosyne serve --upstream http://localhost:11434/v1
set -eu
url=${MNEMOSYNE_URL:-http://127.0.0.1:7373/v1}

curl -sS "$url/chat/completions" \
  -H "content-type: application/json" -H "mnemosyne-person: ada" -H "mnemosyne-conversation-end: true" \
  -d '{"model": "llama3.2", "messages": [{"role": "user", "content": "My sister Lena lives in Porto."}]}'

sleep 2 # it becomes a memory soon after

# -i shows the headers: mnemosyne-memory says whether something was remembered.
curl -sS -i "$url/chat/completions" \
  -H "content-type: application/json" -H "mnemosyne-person: ada" \
  -d '{"model": "llama3.2", "messages": [{"role": "user", "content": "Where does my sister Lena live?"}]}'
