#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Print what happens at a dicebell table: follow.py http://dicebell.local:8080 TOKEN"""

import http.client
import json
import sys
import time
import urllib.request


def follow(table, token, last=""):
    """Yield every event; connect again wherever the line broke, and lose nothing."""
    while True:
        headers = {"Authorization": f"Bearer {token}", "Last-Event-ID": last}
        try:
            request = urllib.request.Request(f"{table}/api/v1/events", headers=headers)
            with urllib.request.urlopen(request, timeout=10) as stream:
                number = last
                for line in stream:
                    name, _, value = line.decode().rstrip("\n").partition(": ")
                    if name == "id":
                        number = value
                    elif name == "data":
                        yield json.loads(value)
                        last = number
        except (OSError, http.client.HTTPException) as error:
            if getattr(error, "code", 503) < 500:
                raise SystemExit(f"{error}: {error.read().decode()}") from error
        time.sleep(1)


if __name__ == "__main__":
    for event in follow(*sys.argv[1:3]):
        print(json.dumps(event), flush=True)
