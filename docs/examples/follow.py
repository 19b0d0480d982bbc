#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Print what happens at a dicebell table: follow.py http://dicebell.local:8080 TOKEN"""

import http.client
import json
import sys
import time
import urllib.request


def follow(table, token, last="", number=""):
    """Yield every event; connect again wherever the line broke, and lose nothing."""
    while True:
        headers = {"Authorization": f"Bearer {token}", "Last-Event-ID": last}
        request = urllib.request.Request(f"{table.rstrip('/')}/api/v1/events", headers=headers)
        try:
            for line in urllib.request.urlopen(request, timeout=10):
                name, _, value = line.decode().partition(": ")
                if name == "id":
                    number = value.strip()
                elif name == "data" and value.endswith("\n"):  # else it was cut off
                    yield json.loads(value)
                    last = number
        except (OSError, http.client.HTTPException) as error:
            if 400 <= getattr(error, "code", 503) < 429:
                sys.exit(f"{error}: {error.read().decode()}")
        time.sleep(1)


if __name__ == "__main__":
    for event in follow(*sys.argv[1:3]) if len(sys.argv) == 3 else sys.exit(__doc__):
        print(json.dumps(event), flush=True)
