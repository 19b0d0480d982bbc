# SPDX-License-Identifier: MIT
"""A project in a real repository with signed tags, and a clone of it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from controller.appliance.updates.repository import copy_repository
from controller.appliance.updates.subprocesses import SubprocessRunner


def run(*words: str | Path, cwd: Path) -> str:
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(cwd),
        **{f"GIT_{who}_NAME": "Ada" for who in ("AUTHOR", "COMMITTER")},
        **{f"GIT_{who}_EMAIL": "ada@dicebell.example" for who in ("AUTHOR", "COMMITTER")},
    }
    done = subprocess.run(
        words, cwd=cwd, env=environment, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


class Project:
    def __init__(self, folder: Path) -> None:
        self.origin, self.clone = folder / "origin", folder / "clone"
        self.signers = folder / "signers"
        self.keys = folder / "keys"
        self.keys.mkdir()
        self.origin.mkdir()
        for name in ("known", "foreign"):
            run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.keys / name, cwd=folder)
        public = (self.keys / "known.pub").read_text()
        self.signers.write_text(f"ada@dicebell.example {public}")
        self.git("init", "--quiet", "--initial-branch=main")
        self.commit("1.0")
        self.tag("v1.0")
        run("git", "clone", "--quiet", self.origin, self.clone, cwd=folder)

    def git(self, *words: str) -> str:
        return run("git", *words, cwd=self.origin)

    def commit(self, text: str) -> str:
        (self.origin / "version").write_text(text)
        self.git("add", "version")
        self.git("commit", "--quiet", "--message", text)
        return self.git("rev-parse", "HEAD")

    def tag(self, name: str, key: str = "known") -> None:
        signing = ("-c", "gpg.format=ssh", "-c", f"user.signingkey={self.keys / key}")
        self.git(*signing, "tag", "--sign", "--message", name, name)

    def read(self, folder: Path, tag: str = "", commit: str = "") -> str:
        folder.mkdir(exist_ok=True)
        with copy_repository(self.clone, self.signers, SubprocessRunner()) as repository:
            if commit:
                found = repository.require_commit(commit)
            else:
                found = repository.require_signed(tag or repository.find_newest_tag())
            repository.check_out(found, folder)
        return (folder / "version").read_text()
