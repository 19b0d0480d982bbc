# SPDX-License-Identifier: MIT
"""
Run the appliance in a virtual machine: start it, run commands in it, and cut its power.

The guest is reached by QEMU's virtio port alone, so it answers while its table does not. A machine
that has booted can be saved with its memory, and others resume from there: an emulated processor
takes minutes to boot. Every wait is for something that the guest says; the longest times only
end a test that has failed.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import random
import shutil
import socket
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from tests.machine.disk import Disk, Record
from vision.frame import Image
from vision.image_files import load_picture

_MEMORY, _BLOCKS = "memory", "blocks"
_COPY_MB = 64
SCREEN = "virtio-vga,xres=1024,yres=600"
"""The screen of the machine, as QEMU's option; nobody sees it but `take_picture`."""
# What would take an emulated processor's time beside the table: a browser of who logs in, the
# desktop's display manager, the first boot's updates of what the packages have made already, and
# what a machine does once a day.
_MASKED = " ".join(
    f"systemd.mask={unit}"
    for unit in (
        *("getty@tty1.service", "serial-getty@ttyS0.service", "lightdm.service"),
        *("systemd-hwdb-update.service", "systemd-journal-catalog-update.service"),
        *("ldconfig.service", "systemd-sysusers.service"),
        *("apt-daily.timer", "apt-daily-upgrade.timer", "dpkg-db-backup.timer", "fstrim.timer"),
    )
)
_ASKED_EVERY_S = 0.2  # QEMU does not say by itself that a machine is saved or loaded.


class MachineError(AssertionError):
    """The machine did not do what the scenario expects."""


@dataclass(frozen=True, slots=True)
class Build:
    """
    What a machine boots, and how fast this host runs it.

    Attributes:
        folder: With the initial ram disk, and the images of both disks.
        kernel: The kernel's image.
        processor: QEMU's options for it.
    """

    folder: Path
    kernel: Path
    processor: tuple[str, ...]

    @property
    def has_kvm(self) -> bool:
        """Whether the host's processor runs the guest by itself."""
        return "kvm" in self.processor

    @property
    def slowness(self) -> float:
        """How much longer anything may take than on a real machine, beside what else runs here."""
        crowding = max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
        return crowding if self.has_kvm else 12 * crowding


class Machine:
    """A virtual machine whose disk starts as the built image and lasts until this ends."""

    def __init__(self, build: Build) -> None:
        self.build = build
        self._folder = Path(tempfile.mkdtemp(prefix="machine-", dir=build.folder))
        self._disk = Disk(build.folder / "disk.img", self._folder)
        self._process: subprocess.Popen[bytes] | None = None
        self._agent: _AgentLine | None = None

    def __enter__(self) -> Machine:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is not None:
            self._print_logs()
        self._kill()
        self._disk.close()
        shutil.rmtree(self._folder)

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @contextlib.contextmanager
    def timed(self, what: str) -> Iterator[None]:
        """Print how long something took, and how much processor time QEMU needed for it."""
        begun_s, used_s = time.monotonic(), self._used_s()
        yield
        took_s = time.monotonic() - begun_s
        sys.stdout.write(f"    {what}: {took_s:.0f} s, {self._used_s() - used_s:.0f} of QEMU\n")
        sys.stdout.flush()

    def _used_s(self) -> float:
        """Return the processor time of QEMU so far, in all threads; 0 before it starts."""
        if self._process is None:
            return 0.0
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def boot(self, *, clock: str = "utc") -> None:
        """
        Start it, and return when its systemd runs the agent.

        Args:
            clock: What its clock shows: `utc` for the time of this machine, or a date and time
                such as `1970-01-01T00:00:00`.
        """
        with self.timed("booted"):
            self._start("-rtc", f"base={clock}")
            self._agent_line().wait_until_ready(100 * self.build.slowness)

    def save(self, folder: Path) -> None:
        """Write its memory and its disk to a folder, and end it."""
        folder.mkdir()
        with self._control() as control:
            control.ask("stop")
            control.ask("migrate", uri=f"exec:cat >{folder / _MEMORY}")
            control.wait_until_saved()
        self._kill()
        self._disk.save(folder / _BLOCKS)

    def resume(self, folder: Path) -> None:
        """Go on from where a machine was saved."""
        with self.timed("resumed"):
            self._disk.load(folder / _BLOCKS)
            self._start("-incoming", f"exec:cat {folder / _MEMORY}")
            with self._control() as control:
                control.wait_until_loaded()
                control.ask("cont")
            self.run("true")

    def run(self, script: str, *, longest_s: float = 60) -> str:
        """Run a script as root and return what it printed."""
        status, text = self.try_run(script, longest_s=longest_s)
        if status != 0:
            raise MachineError(f"expected exit status 0 of: {script}\nfound {status}: {text}")
        return text

    def try_run(self, script: str, *, longest_s: float = 60) -> tuple[int, str]:
        """Run a script as root; return its exit status and what it printed."""
        lines: list[str] = []
        with self._agent_line().start(script) as answers:
            while True:
                answer = answers.next(longest_s * self.build.slowness, script)
                if "status" in answer:
                    return answer["status"], "\n".join(lines)
                lines.append(answer["line"])

    @contextlib.contextmanager
    def follow(self, script: str, *, longest_s: float | None = None) -> Iterator[Iterator[str]]:
        """
        Run a script beside everything else; iterate over the lines that it prints.

        Args:
            longest_s: How long the next line may take; None if it may be silent for ever.
        """
        limit_s = None if longest_s is None else longest_s * self.build.slowness
        with self._agent_line().start(script) as answers:
            yield answers.lines(limit_s, script)

    def take_picture(self) -> Image:
        """Return what its screen shows."""
        path = self._folder / "screen.png"
        with self._control() as control:
            control.ask("screendump", filename=str(path), format="png")
        return load_picture(path)

    def record_disk(self) -> Record:
        """Return a list that gets all that the disk is told, if called before it starts."""
        self._disk.record = []
        return self._disk.record

    def lose_power(self, saved: Path, record: Record, rng: random.Random) -> tuple[int, int]:
        """
        Be off since a power cut, with a disk that was told this after `resume`.

        Returns how many blocks were written since the last flush, and how many of them are lost.
        """
        self._disk.load(saved / _BLOCKS)
        return self._disk.lose_power(record, rng)

    def copy_data(self, folder: Path) -> None:
        """
        Copy the table's data from the disk of a machine that is off.

        Its own kernel mounts the disk and repairs it as at a boot, and goes off again.
        """
        copy = self._folder / "copy.tar"
        with copy.open("wb") as file:
            file.truncate(_COPY_MB * 10**6)
        drive = f"file={copy},format=raw,if=virtio"
        command = self._qemu("-drive", drive, arguments="dicebell.copy")
        limit_s = 60 * self.build.slowness
        try:
            subprocess.run(command, stdin=subprocess.DEVNULL, check=True, timeout=limit_s)
        except subprocess.SubprocessError as error:
            raise MachineError(f"expected a copy of the data, found {error}") from error
        with tarfile.open(copy) as archive:
            archive.extractall(folder, filter="data")

    def _start(self, *options: str) -> None:
        assert not self.is_running
        address = self._folder / "agent.socket"
        address.unlink(missing_ok=True)
        share = f"file={self.build.folder / 'share.img'},format=raw,if=virtio,readonly=on"
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(address))
            listener.listen(1)
            listener.settimeout(60)
            command = self._qemu(
                *("-drive", share),
                *("-device", "virtio-serial-pci", "-chardev", f"socket,id=agent,path={address}"),
                *("-device", "virtserialport,chardev=agent,name=dicebell.agent"),
                *options,
                arguments=_MASKED,
            )
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
            self._agent = _AgentLine(listener.accept()[0])

    def _qemu(self, *options: str, arguments: str) -> list[str]:
        disk = f"file=nbd:unix:{self._disk.address},format=raw,if=virtio,cache=writeback"
        return [
            *("qemu-system-x86_64", *self.build.processor, "-m", "2048"),
            *("-no-reboot", "-display", "none", "-nic", "none"),
            *("-vga", "none", "-device", SCREEN),
            *("-serial", f"file:{self._folder / 'console.log'}"),
            *("-qmp", f"unix:{self._folder / 'qmp.socket'},server=on,wait=off"),
            *("-kernel", str(self.build.kernel)),
            *("-initrd", str(self.build.folder / "initrd.gz")),
            *("-append", f"console=ttyS0 quiet panic=1 no_timer_check {arguments}"),
            *("-drive", disk, *options),
        ]

    def _agent_line(self) -> _AgentLine:
        assert self._agent is not None, "the machine is off"
        return self._agent

    @contextlib.contextmanager
    def _control(self) -> Iterator[_ControlLine]:
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(str(self._folder / "qmp.socket"))
            yield _ControlLine(line)

    def _kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
        if self._agent is not None:
            self._agent.close()
            self._agent = None

    def _print_logs(self) -> None:
        """Print what the machine says of itself, for whoever reads the failure."""
        console = (self._folder / "console.log").read_text(errors="replace").splitlines()
        lines = console[-30:]
        if self.is_running and self._agent is not None:
            with contextlib.suppress(MachineError):
                journal = self.run("journalctl --no-pager -b -n 60 -u 'dicebell*' -u 'machine*'")
                lines += journal.splitlines()
        sys.stderr.write("".join(f"    | {line}\n" for line in lines))


class _ControlLine:
    """QEMU's own line for commands (QMP)."""

    def __init__(self, line: socket.socket) -> None:
        self._stream = line.makefile("rwb")
        self._stream.readline()
        self.ask("qmp_capabilities")

    def ask(self, command: str, **arguments: object) -> dict[str, Any]:
        """Run a command and return its result."""
        request = {"execute": command, "arguments": arguments}
        self._stream.write(json.dumps(request).encode() + b"\n")
        self._stream.flush()
        answer = self._next()
        while "event" in answer:
            answer = self._next()
        if "error" in answer:
            raise MachineError(f"QEMU refuses {command}: {answer['error']}")
        result: dict[str, Any] = answer["return"]
        return result

    def wait_until_saved(self) -> None:
        while (status := self.ask("query-migrate").get("status")) != "completed":
            if status not in ("setup", "active", "device"):
                raise MachineError(f"expected that the machine is saved, found {status}")
            time.sleep(_ASKED_EVERY_S)

    def wait_until_loaded(self) -> None:
        while self.ask("query-status")["status"] == "inmigrate":
            time.sleep(_ASKED_EVERY_S)

    def _next(self) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self._stream.readline())
        return answer


class _Answers:
    """The answers to one script."""

    def __init__(self) -> None:
        self.queue: queue.Queue[dict[str, Any] | None] = queue.Queue()

    def next(self, longest_s: float | None, script: str) -> dict[str, Any]:
        try:
            answer = self.queue.get(timeout=longest_s)
        except queue.Empty:
            raise MachineError(f"no end within {longest_s:g} s of: {script}") from None
        if answer is None:
            raise MachineError(f"the machine went off during: {script}")
        return answer

    def lines(self, longest_s: float | None, script: str) -> Iterator[str]:
        """Yield what the script prints, until it ends."""
        while "line" in (answer := self.next(longest_s, script)):
            yield answer["line"]


class _AgentLine:
    """The line to the agent, which answers many scripts at once."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self._stream = line.makefile("rb")
        self._lock = threading.Lock()
        # A resumed agent may still have to end a script of the machine that was saved.
        self._number = time.time_ns()
        self._ready = _Answers()
        self._open = {0: self._ready}
        self._is_off = False
        self._reader = threading.Thread(target=self._read, name="agent", daemon=True)
        self._reader.start()

    def wait_until_ready(self, longest_s: float) -> None:
        self._ready.next(longest_s, "the start of the machine")

    @contextlib.contextmanager
    def start(self, script: str) -> Iterator[_Answers]:
        answers = _Answers()
        with self._lock:
            self._number += 1
            number = self._number
            self._open[number] = answers
            if self._is_off:
                answers.queue.put(None)
        self._send({"id": number, "script": script})
        try:
            yield answers
        finally:
            with self._lock:
                del self._open[number]
            self._send({"id": number, "end": True})

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._line.shutdown(socket.SHUT_RDWR)
        self._reader.join()
        self._stream.close()
        self._line.close()

    def _send(self, request: dict[str, object]) -> None:
        # A machine whose power was cut answers nobody; the reader says so to all who wait.
        with self._lock, contextlib.suppress(OSError):
            self._line.sendall(json.dumps(request).encode() + b"\n")

    def _read(self) -> None:
        with contextlib.suppress(OSError):
            for line in self._stream:
                answer = json.loads(line)
                with self._lock:
                    answers = self._open.get(answer["id"])
                if answers is not None:
                    answers.queue.put(answer)
        with self._lock:
            self._is_off = True
            for answers in self._open.values():
                answers.queue.put(None)
