# SPDX-License-Identifier: MIT
"""
Build the replay of a game from its journal entries.

It is the report of that game in another form, so a page, a report and the table's own screen
agree on every sheet. Pictures are only named here; the page asks for each when it shows it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, TypedDict

from controller.base.languages.message import message
from controller.games import GAMES
from controller.history.report import model
from controller.history.report.builder import build_game_report
from controller.history.report.pictures import NO_PICTURE, ReportPicture, ReportPictures
from controller.history.report.texts import TimeFormat
from controller.journal.picture_refs import is_digest
from controller.journal.picture_store import PictureStore
from controller.journal.records.from_journal import JournalGame

Mark = Literal["doubt", "hand", "corrected"]
"""A roll that was in doubt, was entered by hand, or was corrected."""

Tone = Literal["choice", "undone", "calm", "hand", "fault"]
"""What an event is: a choice, an undone one, or a note and who caused it."""


class StepDie(TypedDict):
    """A die as it is drawn; `colour` is empty if only its polarity is known."""

    face: int
    polarity: str
    colour: str


class PictureDie(TypedDict):
    """A read die and its position in the stored picture, in pixels."""

    face: int
    center_px: tuple[float, float]
    edge_px: float
    angle_deg: float


class StepPicture(TypedDict):
    """The stored picture of a step; without one `digest` is empty, and `size_px` (0, 0)."""

    digest: str
    size_px: tuple[int, int]
    dice: list[PictureDie]


class StepEvent(TypedDict):
    """Something that happened after a roll; `by` and `gain` may be empty."""

    at: str
    by: str
    text: str
    gain: str
    tone: Tone


class StepSheet(TypedDict):
    """A player's total and sheet; the page draws the sheet by its `kind`."""

    total: int
    sheet: Mapping[str, Any]


class ReplayStep(TypedDict):
    """
    A roll, a doubtful reading, or what was before the first one, up to the next step.

    `roll` counts from 1 and is 0 without a roll. `faces` count; `was` are the first ones of a
    corrected roll. `held` is what was held before it, in words. `doubts` are the sentences of the
    journal, in English. `sheets` are as they stood at the end of the step, only those that are
    new since the step before; the first step has all of them.
    """

    roll: int
    at: str
    by: str
    progress: str
    faces: list[StepDie]
    was: list[StepDie]
    held: str
    marks: list[Mark]
    notes: list[str]
    doubts: list[str]
    picture: StepPicture
    events: list[StepEvent]
    board: Mapping[str, Any] | None
    sheets: dict[str, StepSheet]


class ReplayView(TypedDict):
    """One game: `result` in words, `stopped` why the replay ends before the journal does."""

    number: int
    game: str
    title: str
    players: list[str]
    options: list[str]
    began: str
    winners: list[str]
    losers: list[str]
    result: str
    stopped: str
    steps: list[ReplayStep]


NO_STEP_PICTURE: StepPicture = {"digest": "", "size_px": (0, 0), "dice": []}


def build_replay(game: JournalGame, pictures: PictureStore, times: TimeFormat) -> ReplayView:
    """Build the replay of a game up to its last sound entry; InputError if the first one is not."""
    story = build_game_report(game, pictures=NamedPictures(pictures, {}), times=times)
    outcome = story.outcome
    return {
        "number": game.number,
        "game": game.header.game,
        "title": story.title,
        "players": list(story.players),
        "options": list(story.options),
        "began": story.began,
        "winners": list(outcome["winners"]) if outcome else [],
        "losers": list(outcome["losers"]) if outcome else [],
        "result": outcome["text"] if outcome else "",
        "stopped": story.stopped,
        "steps": _StepBuilder(game.header.game).build(story.chapters),
    }


class NamedPictures(ReportPictures):
    """Pictures that are named and not read, each as often as it was journalled."""

    def picture(self, digest: str, size_px: tuple[int, int]) -> ReportPicture:
        return ReportPicture(digest, "", "", *size_px) if is_digest(digest) else NO_PICTURE

    def clip_note(self, digest: str) -> str:
        """Return no note: a replay shows no clips."""
        return ""


class _StepBuilder:
    """Makes steps of sections, each with the sheets that it changed."""

    def __init__(self, game: str) -> None:
        self._ui = GAMES[game].ui
        self._shown: dict[str, tuple[int, object]] = {}
        self._steps: list[ReplayStep] = []

    def build(self, sections: tuple[model.RollSection, ...]) -> list[ReplayStep]:
        """Return the steps; a reading that only waited for a press is none of its own."""
        for section in sections:
            about = section.about
            if self._steps and isinstance(about, model.RejectedReading) and not about.seen.doubts:
                self._add_to_last(section)
            else:
                self._steps.append(self._build_step(section))
        return self._steps

    def _build_step(self, section: model.RollSection) -> ReplayStep:
        about = section.about
        step: ReplayStep = {
            "roll": 0,
            "at": about.at if about else "",
            "by": about.by if about else "",
            "progress": section.progress,
            "faces": [],
            "was": [],
            "held": "",
            "marks": [],
            "notes": [],
            "doubts": [],
            "picture": NO_STEP_PICTURE,
            "events": list(_list_events(section.items)),
            "board": section.board,
            "sheets": self._find_new_sheets(section),
        }
        if about is not None:
            step["doubts"] = [doubt.partition(": ")[2] or doubt for doubt in about.seen.doubts]
            step["picture"] = _show_picture(about.seen)
        if isinstance(about, model.RollItem):
            _describe_roll(step, about)
        elif about is not None:
            step["marks"] = ["doubt"]
        return step

    def _add_to_last(self, section: model.RollSection) -> None:
        last = self._steps[-1]
        last["events"] += _list_events(section.items)
        last["board"] = section.board
        last["sheets"] |= self._find_new_sheets(section)

    def _find_new_sheets(self, section: model.RollSection) -> dict[str, StepSheet]:
        new: dict[str, StepSheet] = {}
        for one in section.sheets:
            shown = one.total, self._ui.without_offers(one.sheet)
            if self._shown.get(one.name) != shown:
                self._shown[one.name] = shown
                new[one.name] = {"total": one.total, "sheet": one.sheet}
        return new


def _describe_roll(step: ReplayStep, roll: model.RollItem) -> None:
    counts = roll.fixes[-1].now if roll.fixes else roll.faces
    marks: dict[Mark, bool] = {
        "doubt": bool(roll.seen.doubts),
        "hand": bool(roll.by_hand),
        "corrected": bool(roll.fixes),
    }
    step["roll"] = roll.number
    step["held"] = roll.held
    step["faces"] = [_show_die(text) for text in counts]
    step["was"] = [_show_die(text) for text in roll.faces] if roll.fixes else []
    step["marks"] = [mark for mark, has_mark in marks.items() if has_mark]
    step["notes"] = [*_note_hand(roll), *map(_note_correction, roll.fixes)]


def _show_die(text: str) -> StepDie:
    """Return a die by its text in a record: `4`, `w4` or `b6`."""
    colour = {"w": "white", "b": "black"}.get(text[0], "")
    return {
        "face": int(text[-1]),
        "polarity": "dark" if colour == "black" else "light",
        "colour": colour,
    }


def _note_hand(roll: model.RollItem) -> Iterator[str]:
    if roll.by_hand and roll.reason:
        yield message(
            "Entered by hand by {official}: {reason}", official=roll.by_hand, reason=roll.reason
        )
    elif roll.by_hand:
        yield message("Entered by hand by {official}.", official=roll.by_hand)


def _note_correction(fix: model.Correction) -> str:
    if fix.reason:
        return message("Corrected by {official}: {reason}", official=fix.by, reason=fix.reason)
    return message("Corrected by {official}.", official=fix.by)


def _show_picture(seen: model.SeenPicture) -> StepPicture:
    picture = seen.picture
    return {
        "digest": picture.digest,
        "size_px": (picture.width_px, picture.height_px),
        "dice": [
            {
                "face": die.face,
                "center_px": die.center_px,
                "edge_px": die.edge_px,
                "angle_deg": die.angle_deg,
            }
            for die in seen.dice
        ],
    }


def _list_events(items: tuple[model.Item, ...]) -> Iterator[StepEvent]:
    """Yield what happened; a checkpoint is part of the proof and not of the game."""
    for item in items:
        if isinstance(item, model.CheckpointItem):
            continue
        if isinstance(item, model.ChoiceItem):
            tone: Tone = "undone" if item.is_undone else "choice"
            yield _event(item.at, item.text, tone, by=item.by, gain=item.gain)
        else:
            yield _event(item.at, item.text, _NOTE_TONES.get(item.tone, "calm"))


_NOTE_TONES: dict[str, Tone] = {"calm": "calm", "hand": "hand", "fault": "fault"}


def _event(at: str, text: str, tone: Tone, *, by: str = "", gain: str = "") -> StepEvent:
    return {"at": at, "by": by, "text": text, "gain": gain, "tone": tone}
