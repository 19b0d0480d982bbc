# SPDX-License-Identifier: MIT
"""Webcam, pins, disk or clock do not work; the table goes on once they do."""

from __future__ import annotations

from functools import partial

from tests.machine.films import OTHER_SIZE_WH
from tests.machine.machine import Machine
from tests.machine.scenarios.play import choose_for_all, start_game
from tests.machine.stage import Scenario, Stage, follow_table
from tests.machine.table import BUTTONS, DATA, Table, View

_WEBCAM = "machine-webcam.service"
_BALLAST = f"{DATA}/ballast"


def kill_webcam_writer(stage: Stage) -> str:
    with stage.table() as table:
        start_game(table)
        table.throw("first")
        table.machine.run(f"systemctl stop {_WEBCAM}")
        lost = expect_fault(table, "gone")
        table.machine.run(f"systemctl start {_WEBCAM}")
        expect_no_fault(table)
        expect_roll_kept(table, "first")
        return f"{lost!r}, and the roll stays"


def pull_webcam_out(stage: Stage) -> str:
    with stage.table() as table:
        start_game(table)
        pull_webcam(table)
        with table.expect_rest():
            plug_webcam(table, "empty")
            expect_no_fault(table)
        table.throw("first")
        return "the device file went and came back; the next throw is read"


def change_picture_size(stage: Stage) -> str:
    with stage.table() as table:
        start_game(table)
        pull_webcam(table)
        plug_webcam(table, "small")
        size = f"{OTHER_SIZE_WH[0]}x{OTHER_SIZE_WH[1]}"
        view = table.wait_for("it names the size", lambda view: size in read_notice(view))
        pull_webcam(table)
        with table.expect_rest():
            plug_webcam(table, "empty")
            expect_no_fault(table)
        table.throw("first")
        return repr(read_notice(view))


def pull_webcam(table: Table) -> None:
    table.machine.run(f"systemctl stop {_WEBCAM}")
    expect_fault(table, "gone")
    # The table gives the device free each time before it tries again.
    table.machine.run("until modprobe --remove v4l2loopback; do sleep 0.2; done")
    table.machine.run("[ ! -e /dev/video0 ]")


def plug_webcam(table: Table, film: str) -> None:
    """Plug in a webcam that plays this film."""
    table.machine.run("modprobe v4l2loopback exclusive_caps=1 max_buffers=4 && udevadm settle")
    table.play_film(film)
    table.machine.run(f"systemctl start {_WEBCAM}")


def repeat_pictures(stage: Stage, film: str) -> str:
    with stage.table() as table:
        start_game(table)
        table.play_film(film)
        told = expect_fault(table, "frozen")
        with table.expect_rest():
            table.play_film("empty")
            expect_no_fault(table)
        table.throw("first")
        return f"{told!r}; the next throw is read"


def use_pins_elsewhere(stage: Stage) -> str:
    with stage.table() as table:
        machine = table.machine
        machine.run("systemctl stop dicebell")
        holder = (
            "import lgpio, signal; chip = lgpio.gpiochip_open(0);"
            f" lgpio.gpio_claim_input(chip, {BUTTONS['confirm']}); print('held', flush=True);"
            " signal.pause()"
        )
        with machine.follow(f'exec python3 -c "{holder}"', longest_s=60) as lines:
            assert next(lines) == "held"
            machine.run("systemctl start dicebell", longest_s=120)
            view = table.wait_for("the buttons are lost", names_buttons)
        table.wait_for("the buttons are back", lambda view: not names_buttons(view))
        start_game(table)
        return f"{read_notice(view)!r}; then a press starts a game"


def names_buttons(view: View) -> bool:
    return "buttons" in read_notice(view).lower()


def fill_disk(stage: Stage) -> str:
    with stage.table() as table:
        start_game(table)
        # As the table's own account, since a part of the disk is kept for root.
        fill = (
            f"fallocate --length $(df --output=avail --block-size=1 {DATA} | tail -n 1) {_BALLAST};"
            f" cat /dev/zero >>{_BALLAST}"
        )
        table.machine.try_run(f"runuser -u dicebell -- sh -c '{fill}'", longest_s=300)
        table.play_film("first")
        told = expect_fault(table, "refuses", "disk")
        shown = [roll for _, roll in table.rolls]
        table.machine.run(f"rm {_BALLAST}")
        expect_no_fault(table)
        table.throw("second")
        table.verify()
        assert table.list_rolls() == [*shown, "13344"], table.list_rolls()
        return f"{told!r}; then 13344 is read, the journal verifies"


def start_without_clock(stage: Stage) -> str:
    with Machine(stage.build) as machine:
        machine.boot(clock="1970-01-01T00:00:00")
        before = machine.run("date +%Y-%m-%d")
        with follow_table(stage.build, machine) as table:
            start_game(table)
            table.throw("first")
            machine.run("date --set 2031-05-04T12:00:00")
            choose_for_all(table)
            table.throw("second")
            found = table.verify()
            table.expect_no_restart()
            return f"{before}, then 2031 within a game: {found['entries']} entries verify"


def read_notice(view: View) -> str:
    notice = view["notice"]
    return f"{notice['text']} {notice['mend']}" if notice else ""


def expect_fault(table: Table, kind: str, device: str = "camera") -> str:
    """Wait for a fault of the camera, or of the disk; return what the table says of it."""
    fault = {"device": device, "kind": kind}
    return read_notice(
        table.wait_for(f"the {device} is {kind}", lambda view: view["fault"] == fault)
    )


def expect_no_fault(table: Table) -> None:
    table.wait_for("it has no fault", lambda view: view["fault"] is None)


def expect_roll_kept(table: Table, film: str) -> None:
    faces = "".join(str(face) for face in table.truth(film))
    assert table.view["last_roll"]["roll"] == faces, table.view["last_roll"]["roll"]


SCENARIOS = (
    Scenario("the webcam's program dies", kill_webcam_writer),
    Scenario("the webcam is pulled out and back", pull_webcam_out),
    Scenario("the webcam changes its size", change_picture_size),
    Scenario("the webcam repeats a picture", partial(repeat_pictures, film="frozen")),
    Scenario("the webcam repeats four pictures", partial(repeat_pictures, film="going-round")),
    Scenario("the pins are in use elsewhere", use_pins_elsewhere),
    Scenario("the disk is full", fill_disk),
    Scenario("the clock is wrong at the start", start_without_clock),
)
