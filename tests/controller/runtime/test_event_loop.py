# SPDX-License-Identifier: MIT
"""Step, write, show: in this order, whatever the disk says."""

from __future__ import annotations

import errno
import threading
from dataclasses import replace

import pytest

from controller.base.settings import Settings, SoundSettings
from controller.journal.checkpoint import Checkpoint
from controller.runtime.devices.sound_control import SoundControl
from controller.runtime.event_loop import LoopObserver, TableLoop
from controller.table import events as on
from controller.table.effects import SoundCue
from controller.table.events import Event, Key, TrayDie, TrayDoubt
from controller.table.state import Phase, TableState
from controller.table.view.question import CommandResult
from tests.support.memory_disk import Disk


def table(disk: Disk, *, ask_timeout_s: float = 60.0) -> TableLoop:
    loop = TableLoop(TableState(), storage=disk, observers=(disk,), ask_timeout_s=ask_timeout_s)
    loop.handle(on.GameStarted("choice", ("Ada", "Ben")))
    return loop


def throw(loop: TableLoop, *faces: int) -> None:
    dice = tuple(
        TrayDie(face, "light", "white", (100.0 * (place + 1), 50.0 * face), 10.0, 60.0)
        for place, face in enumerate(faces)
    )
    for event in (on.MotionStarted(), on.MotionStopped(), on.DiceRead(dice, "digest")):
        loop.handle(event)


def test_a_roll_is_picture_then_entry_then_screen() -> None:
    disk = Disk()
    throw(table(disk), 1, 3, 4, 4, 6)
    assert disk.written[-3:] == ["picture digest", "roll", "shown choosing"]


def test_what_the_disk_refuses_has_not_happened() -> None:
    disk = Disk()
    loop = table(disk)
    throw(loop, 1, 3, 4, 4, 6)
    disk.is_full = True
    before = loop.state.play.position
    loop.handle(on.KeyPressed(Key.CONFIRM))
    assert loop.state.play.position == before
    assert loop.state.phase is Phase.FAULT
    notice = loop.snapshot()["notice"]
    assert notice is not None
    assert "The disk is full." in notice["text"]


def test_a_deleted_journal_needs_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_disk: Disk, _what: str) -> None:
        raise FileNotFoundError(errno.ENOENT, "The journal was deleted")

    loop = table(Disk())
    throw(loop, 1, 3, 4, 4, 6)
    monkeypatch.setattr(Disk, "_write", refuse)
    loop.handle(on.KeyPressed(Key.CONFIRM))
    notice = loop.snapshot()["notice"]
    assert loop.state.phase is Phase.FAULT
    assert notice is not None
    assert "deleted the journal" in notice["text"]
    assert "Restore a backup" in notice["mend"]


def full_table(disk: Disk, *, old_pictures: int) -> TableLoop:
    disk.old_pictures = old_pictures
    loop = TableLoop(TableState(), storage=disk)
    loop.handle(on.GameStarted("choice", ("Ada", "Ben")))
    disk.is_full = True
    return loop


def test_a_full_disk_is_freed_before_a_fault_is_shown() -> None:
    disk = Disk()
    loop = full_table(disk, old_pictures=1)
    throw(loop, 1, 3, 4, 4, 6)
    assert loop.state.phase is Phase.CHOOSING
    assert disk.written[-2:] == ["picture digest", "roll"]


def test_a_checkpoint_makes_room_too() -> None:
    disk = Disk()
    loop = full_table(disk, old_pictures=1)
    disk.is_full = False
    play_round(loop)
    disk.room = 1
    loop.handle(on.KeyPressed(Key.CONFIRM))
    assert loop.state.phase is Phase.AWAITING_ROLL
    assert disk.written[-2:] == ["action", "checkpoint"]


def test_an_unwritten_doubtful_rest_is_no_roll_later() -> None:
    disk = Disk()
    loop = table(disk)
    dice = tuple(
        TrayDie(face, "light", "white", (100.0 * face, 50.0), 10.0, 60.0) for face in range(1, 6)
    )
    disk.is_full = True
    leans = TrayDoubt("cocked", "A die leans.", (500.0, 50.0), 30.0)
    for event in (
        on.MotionStarted(),
        on.MotionStopped(),
        on.ReadingDoubtful((leans,), dice[:4], "digest"),
    ):
        loop.handle(event)
    assert loop.state.phase is Phase.FAULT
    disk.is_full = False
    loop.retry_disk()
    loop.handle(on.MotionStarted())
    loop.handle(on.MotionStopped())
    loop.handle(on.DiceRead(dice, "digest"))
    assert loop.state.play.rolls == 0
    assert "reading" not in disk.written


def test_a_disk_with_room_for_less_than_a_roll_is_not_back() -> None:
    disk = Disk()
    loop = table(disk)
    disk.is_full = True
    throw(loop, 1, 3, 4, 4, 6)
    disk.is_full, disk.has_room_for_a_roll = False, False
    loop.retry_disk()
    assert loop.state.troubles.faults
    assert "back" not in disk.written
    disk.has_room_for_a_roll = True
    loop.retry_disk()
    assert not loop.state.troubles.faults
    assert loop.state.phase is Phase.AWAITING_ROLL


def test_unwritten_dice_stay_on_the_felt_and_are_no_roll_later() -> None:
    disk = Disk()
    loop = table(disk)
    disk.is_full = True
    throw(loop, 1, 3, 4, 4, 6)
    disk.is_full = False
    loop.handle(on.DeviceBack("disk"))
    loop.handle(on.KeyPressed(Key.CONFIRM))
    throw(loop, 1, 3, 4, 4, 6)
    assert loop.state.play.rolls == 0


def test_play_continues_with_room_again_and_a_confirmation() -> None:
    disk = Disk()
    loop = table(disk)
    throw(loop, 1, 3, 4, 4, 6)
    disk.is_full = True
    loop.handle(on.KeyPressed(Key.CONFIRM))
    loop.handle(on.DeviceBack("disk"))
    assert loop.state.troubles.faults, "the disk is still full"
    disk.is_full = False
    loop.handle(on.DeviceBack("disk"))
    loop.handle(on.KeyPressed(Key.CONFIRM))
    assert loop.state.phase is Phase.CHOOSING
    loop.handle(on.KeyPressed(Key.CONFIRM))
    assert disk.written[-2] == "action"


def test_a_sound_is_heard_after_its_entry_was_written_and_shown() -> None:
    disk = Disk()
    heard: list[tuple[str, SoundCue]] = []

    class Ear(LoopObserver):
        def on_sound(self, sound: SoundCue, percent: int) -> None:
            assert percent == 40
            heard.append((disk.written[-1], sound))

    sounds = SoundControl(Settings(sound=SoundSettings(0, 40, 40, call_aloud=True)))
    loop = TableLoop(TableState(), storage=disk, observers=(disk, Ear()), sounds=sounds)
    assert heard == []
    assert loop.snapshot()["sound"] is None
    loop.handle(on.GameStarted("choice", ("Ada", "Ben")))
    throw(loop, 1, 3, 4, 4, 6)
    disk.is_full = True
    loop.handle(on.KeyPressed(Key.CONFIRM))
    assert heard == [
        ("shown awaiting roll", SoundCue.BELL),
        ("shown choosing", SoundCue.ROLL_TAKEN),
        ("shown fault", SoundCue.DOUBT),
    ]
    assert loop.snapshot()["sound"] == {"number": 3, "cue": "doubt", "percent": 40, "spoken": ""}


def test_an_event_that_changes_nothing_is_not_shown_again() -> None:
    loop = table(Disk())
    version = loop.snapshot()["version"]
    loop.handle(on.MotionStopped())
    assert loop.snapshot()["version"] == version


def test_a_waiting_screen_is_woken_by_a_change_and_by_the_end() -> None:
    loop = table(Disk())
    version = loop.snapshot()["version"]
    assert loop.wait_for_change(version, 0.0) is None
    thread = threading.Thread(target=loop.run)
    thread.start()
    loop.send(on.MotionStarted())
    view = loop.wait_for_change(version, 10.0)
    assert view is not None
    assert view["phase"] == "rolling"
    loop.close()
    thread.join()
    assert loop.wait_for_change(view["version"], 10.0) is None


def test_two_answers_in_line_at_the_same_time_are_not_both_taken() -> None:
    loop = table(Disk())
    throw(loop, 1, 3, 4, 4, 6)
    confirm, question = on.KeyPressed(Key.CONFIRM), loop.snapshot()["question"]
    taken: list[bool] = []

    def ask() -> None:
        taken.append(loop.ask(confirm, question).fits)

    people = [threading.Thread(target=ask) for _ in range(2)]
    for person in people:
        person.start()
    running = threading.Thread(target=loop.run)
    running.start()
    for person in people:
        person.join()
    loop.close()
    running.join()
    assert sorted(taken) == [False, True]


CORRECTED = on.RollCorrected("63446", "Eva", "The one is a six.")


def heard(loop: TableLoop, *events: Event) -> list[CommandResult]:
    """Ask a running table for one thing after the other; return what became of each."""
    running = threading.Thread(target=loop.run)
    running.start()
    try:
        return [loop.ask(event, None) for event in events]
    finally:
        loop.close()
        running.join()


def test_a_refusal_is_reported_only_to_the_one_who_asked() -> None:
    loop = table(Disk())
    throw(loop, 1, 3, 4, 4, 6)
    same, left = replace(CORRECTED, roll="64431"), on.KeyPressed(Key.LEFT)
    told = [one.refusal for one in heard(loop, same, left, same, CORRECTED, on.ReviewRequested())]
    why = "The roll already counts as 1 3 4 4 6."
    assert told == [why, "", why, "", ""]


def test_a_correction_that_the_disk_refused_was_not_taken() -> None:
    disk = Disk()
    loop = table(disk)
    throw(loop, 1, 3, 4, 4, 6)
    disk.is_full = True
    (answer,) = heard(loop, CORRECTED)
    assert answer.refusal == "The disk is full."
    assert loop.state.play.last_roll is not None
    assert loop.state.play.last_roll.was == ""


def test_an_answer_whose_turn_does_not_come_is_never_taken_later() -> None:
    loop = table(Disk(), ask_timeout_s=0.0)
    throw(loop, 1, 3, 4, 4, 6)
    with pytest.raises(TimeoutError):
        loop.ask(on.KeyPressed(Key.CONFIRM), None)
    loop.close()
    loop.run()
    assert loop.state.phase is Phase.CHOOSING
    assert loop.state.play.undoable == ()


def play_round(loop: TableLoop) -> None:
    """Let Ada and Ben choose from Ada's roll, then throw Ben's and leave the last choice open."""
    throw(loop, 1, 3, 4, 4, 6)
    loop.handle(on.KeyPressed(Key.CONFIRM))
    loop.handle(on.KeyPressed(Key.CONFIRM))
    throw(loop, 2, 1, 5, 5, 3)
    loop.handle(on.KeyPressed(Key.CONFIRM))


def test_a_round_that_ended_is_entry_then_checkpoint_then_screen() -> None:
    disk = Disk()
    loop = table(disk)
    play_round(loop)
    assert "checkpoint" not in disk.written
    assert loop.snapshot()["checkpoint"] is None
    loop.handle(on.KeyPressed(Key.CONFIRM))
    assert disk.written[-3:] == ["action", "checkpoint", "shown awaiting roll"]
    signed = disk.shown[-1]["checkpoint"]
    assert signed is not None
    assert (signed["size"], len(signed["words"])) == (1, 6)


def test_a_game_that_is_left_is_signed_after_its_last_entry() -> None:
    disk = Disk()
    table(disk).handle(on.GameClosed())
    assert disk.written[-3:] == ["closed", "checkpoint", "shown lobby"]


def test_an_owed_checkpoint_is_written_before_play_continues() -> None:
    disk = Disk()
    loop = table(disk)
    play_round(loop)
    disk.room = 1
    loop.handle(on.KeyPressed(Key.CONFIRM))
    assert disk.written[-2:] == ["action", "shown fault"]
    assert loop.state.play.position is not None
    assert loop.state.play.position.expects().roll == ("Ada",), (
        "the choice is on the disk, so it counts"
    )
    assert loop.snapshot()["checkpoint"] is None
    disk.room = 1
    loop.retry_disk()
    assert disk.written[-1] == "shown fault", "there is room for one more entry and no more"
    assert disk.signed == 1
    disk.room = None
    loop.retry_disk()
    assert disk.written[-2:] == ["back", "shown awaiting roll"]
    assert disk.signed == 1
    assert loop.snapshot()["checkpoint"] is not None


def test_a_table_that_starts_shows_its_newest_checkpoint_again() -> None:
    disk = Disk()
    loop = TableLoop(TableState(), storage=disk, checkpoint=Checkpoint(7, bytes(32), 0, bytes(64)))
    signed = loop.snapshot()["checkpoint"]
    assert signed is not None
    assert signed["size"] == 7
    assert signed["text"].startswith("dicebell1:7:0:")
