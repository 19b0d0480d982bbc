# SPDX-License-Identifier: MIT
"""
Get a version from a git clone: a signed tag, or a named commit.

The clone belongs to a person and its remote to somebody else, so its working tree is not used.
Its objects are copied as a bundle into a repository of root, where git computes every digest
again. The signature is verified there, with keys that only root can change.
"""

from __future__ import annotations

import os
import pwd
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.appliance.updates.subprocesses import CommandRunner
from controller.base.errors import InputError

SIGNERS = "signers"
"""The keys that may sign a version, in the format of `ssh-keygen -Y`, beside the versions."""

VERSION_TAG = re.compile(r"v\d+(\.\d+)*")
COMMIT = re.compile(r"[0-9a-f]{40}")
# Git verifies other kinds of signatures with other keys than those of the file.
_OTHER_VERIFIERS = ("gpg.program", "gpg.openpgp.program", "gpg.x509.program")


class SourceRepository:
    """Root's bare copy of a clone; `signers` is the file with the keys that may sign a version."""

    def __init__(self, folder: Path, signers: Path, commands: CommandRunner) -> None:
        self._git = ["git", f"--git-dir={folder}"]
        self._signers = signers
        self._commands = commands

    def find_newest_tag(self) -> str:
        """Return the tag of the newest version; InputError if there is none."""
        names = self._ask("for-each-ref", "--format=%(refname:strip=2)", "refs/tags") or ""
        tags = [name for name in names.split("\n") if VERSION_TAG.fullmatch(name)]
        if not tags:
            expected = "a signed tag such as v1.2, or --commit COMMIT"
            raise InputError(expected=expected, found="a repository without tags of versions")
        return max(tags, key=version_of)

    def require_signed(self, tag: str) -> str:
        """Return the commit of a tag that a key in the file has signed; otherwise InputError."""
        if not self._signers.is_file():
            expected = f"the keys that may sign a version in {self._signers}, or --commit COMMIT"
            raise InputError(expected=expected, found="no such file")
        options = [f"gpg.ssh.allowedSignersFile={self._signers}"]
        options += [f"{name}=false" for name in _OTHER_VERIFIERS]
        configured = [word for option in options for word in ("-c", option)]
        # The signed text names the tag: another name would pass an old version off as a new one.
        is_named = self._ask("for-each-ref", "--format=%(tag)", f"refs/tags/{tag}") == tag
        verify = [*self._git, *configured, "verify-tag", f"refs/tags/{tag}"]
        if not is_named or self._commands.ask(verify) is None:
            expected = f"a tag {tag} signed by a key in {self._signers}"
            raise InputError(expected=expected, found="none, or another signature")
        return self.require_commit(f"refs/tags/{tag}")

    def require_commit(self, name: str) -> str:
        """Return the digest of a commit; InputError if the repository lacks it."""
        found = self._ask("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
        if not found:
            raise InputError(expected="a commit of the repository", found=name)
        return found

    def check_out(self, commit: str, folder: Path) -> None:
        """Write the files of a commit into an empty folder; InputError if Git failed."""
        words = [f"--work-tree={folder}", "checkout", "--quiet", "--force", commit, "--", "."]
        self._commands.run([*self._git, *words], cwd=folder)

    def _ask(self, *words: str) -> str | None:
        return self._commands.ask([*self._git, *words])


def version_of(tag: str) -> tuple[int, ...]:
    """Return a tag such as v1.10 as numbers that can be compared."""
    return tuple(int(number) for number in tag.removeprefix("v").split("."))


@contextmanager
def copy_repository(
    clone: Path, signers: Path, commands: CommandRunner
) -> Iterator[SourceRepository]:
    """Copy a clone's remote to a repository of root; its owner runs git. InputError if it fails."""
    if not (clone / ".git").exists():
        expected = "a git clone, or --from DIR"
        raise InputError(expected=expected, found="a folder without .git", where=str(clone))
    owner = pwd.getpwuid(clone.stat().st_uid)
    # Root's files in a person's clone would lock that person out.
    as_owner = [] if owner.pw_uid == os.geteuid() else ["runuser", "-u", owner.pw_name, "--"]
    git = [*as_owner, "git", "-C", str(clone)]
    with (
        tempfile.TemporaryDirectory(prefix="dicebell-git-") as own,
        tempfile.TemporaryDirectory(prefix="dicebell-bundle-") as given,
    ):
        os.chown(given, owner.pw_uid, owner.pw_gid)
        bundle, copy = Path(given) / "all.bundle", Path(own) / "copy.git"
        commands.run([*git, "fetch", "--tags", "--quiet"])
        commands.run([*git, "bundle", "create", "--quiet", str(bundle), "--all"])
        commands.run(["git", "init", "--quiet", "--bare", str(copy)])
        fetch = ["fetch", "--quiet", "--no-write-fetch-head", str(bundle), "refs/*:refs/*"]
        commands.run(["git", f"--git-dir={copy}", *fetch])
        yield SourceRepository(copy, signers, commands)
