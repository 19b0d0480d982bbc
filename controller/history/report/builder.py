# SPDX-License-Identifier: MIT
"""
Build the report of a game from its entries and the rules.

Entries are applied as in a restart of the table, so the sheets are those that the table showed.
At an entry that does not follow from those before it, the report ends and says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from controller.base.errors import InputError
from controller.base.languages.message import message
from controller.base.qr_code import render_qr_svg
from controller.games.ui import GameView, SheetView
from controller.games.wording import describe_option, format_signed
from controller.history.report import model
from controller.history.report.pictures import ReportPictures
from controller.history.report.readings import build_seen_picture
from controller.history.report.texts import TimeFormat, describe_entry
from controller.journal import entries as written
from controller.journal.checkpoint import decode_checkpoint, encode_checkpoint, format_words
from controller.journal.hashchain import Entry
from controller.journal.records.from_journal import JournalGame
from controller.table.choosing import create_view, list_offers
from controller.table.game_flow import apply_action
from controller.table.journal_entries import restore_table
from controller.table.state import Screen, TableState, require_game
from controller.table.view.result import show_outcome


def build_game_report(
    game: JournalGame, *, pictures: ReportPictures, times: TimeFormat
) -> model.GameReport:
    """Build the report of a game up to its last sound entry; InputError if the first one is not."""
    entries = select_game_entries(game)
    builder = _ReportBuilder(entries, pictures, times)
    try:
        end = state = restore_table(TableState(), [(game.start.kind, game.start.body)])
    except InputError as error:
        raise error.at(f"entry {game.start.seq}") from error
    last, stopped = game.start, ""
    for entry in entries:
        try:
            before, state = state, restore_table(state, [(entry.kind, entry.body)])
            builder.add_entry(entry, before, state)
            # After the players leave, the table holds no game.
            end = state if state.play.position is not None else end
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            why = error.found if isinstance(error, InputError) else f"{entry.kind}: {error}"
            stopped = message(
                "Entry {seq} does not follow from those before it. {why}", seq=entry.seq, why=why
            )
            break
        last = entry
    view, position = _view(end), require_game(end)
    rules = end.play.rules
    return model.GameReport(
        title=rules.title,
        players=position.players,
        options=tuple(
            describe_option(rules.options[name].label, value)
            for name, value in position.options.items()
        ),
        began=times.date(game.start.at_ms),
        ended=times.date(last.at_ms),
        chapters=builder.chapters(end),
        outcome=show_outcome(end, view),
        sheets=_compare_sheets(_show_sheets(end), _show_sheets(end)),
        board=view.board(),
        rolls=builder.rolls,
        stopped=stopped,
    )


def select_game_entries(game: JournalGame) -> tuple[Entry, ...]:
    """Return a game's entries, without those after its players left."""
    entries = game.entries
    ends = [place for place, entry in enumerate(entries) if entry.kind == "closed"]
    if not ends:
        return entries
    end = ends[0] + 1
    while end < len(entries) and entries[end].kind == "checkpoint":
        end += 1
    return entries[:end]


def find_undone_actions(entries: Iterable[Entry]) -> frozenset[int]:
    """Return the entry numbers of actions that were undone, or dropped by a correction."""
    standing: dict[str, list[int]] = {}
    since_roll: set[int] = set()
    undone: set[int] = set()
    for entry in entries:
        match written.read_entry(entry):
            case written.RollEntry():
                since_roll.clear()
            case written.ActionEntry(by=by) | written.CountedEntry(by=by):
                standing.setdefault(by, []).append(entry.seq)
                since_roll.add(entry.seq)
            case written.SeatedEntry(player=by):
                standing.setdefault(by, []).append(entry.seq)
            case written.UndoEntry(by=by) if standing.get(by):
                undone.add(standing[by].pop())
            case written.CorrectionEntry():
                undone |= since_roll
                standing = {
                    by: [n for n in seqs if n not in undone] for by, seqs in standing.items()
                }
    return frozenset(undone)


def group_corrections(
    entries: Iterable[Entry],
) -> dict[int, list[tuple[int, written.CorrectionEntry]]]:
    """Return the corrections of rolls and their times, by the entry number of the roll."""
    fixes: dict[int, list[tuple[int, written.CorrectionEntry]]] = {}
    roll = -1
    for entry in entries:
        match written.read_entry(entry):
            case written.RollEntry():
                roll = entry.seq
            case written.CorrectionEntry() as fix:
                fixes.setdefault(roll, []).append((entry.at_ms, fix))
    return fixes


@dataclass
class _OpenSection:
    about: model.RollItem | model.RejectedReading | None
    before: TableState
    progress: str = ""
    items: list[model.Item] = field(default_factory=list)


class _ReportBuilder:
    def __init__(
        self, entries: Sequence[Entry], pictures: ReportPictures, times: TimeFormat
    ) -> None:
        self.rolls = 0
        self._pictures, self._times = pictures, times
        self._undone, self._fixes = find_undone_actions(entries), group_corrections(entries)
        self._roll_pictures = frozenset(
            each.picture
            for each in map(written.read_entry, entries)
            if isinstance(each, written.RollEntry)
        )
        self._done: list[model.RollSection] = []
        self._open: _OpenSection | None = None
        self._shown: _ShownSheets | None = None

    def add_entry(self, entry: Entry, before: TableState, after: TableState) -> None:
        """
        Add the next entry, with the table before and after it.

        ArithmeticError, InputError, LookupError or ValueError if it is not what its kind has to be.
        """
        about: model.RollItem | model.RejectedReading
        match written.read_entry(entry):
            case written.RollEntry() as roll:
                about = self._build_roll(entry, roll, before)
                progress = _describe_progress(roll, before, after)
            case written.ReadingEntry() as reading:
                about = self._build_rejected(entry, reading)
                progress = _view(after).progress_text()
            case written.UnknownEntry(kind="reading", reason=reason):
                raise ValueError(reason)
            case other:
                item = self._build_item(entry, other, before)
                self._open = self._open or _OpenSection(None, before)
                self._open.items.append(item)
                return
        self._close(before)
        self._open = _OpenSection(about, before, progress)

    def chapters(self, end: TableState) -> tuple[model.RollSection, ...]:
        """Return all sections; the last one ends with this table."""
        self._close(end)
        return tuple(self._done)

    def _close(self, after: TableState) -> None:
        opened, self._open = self._open, None
        if opened is None:
            return
        self._done.append(
            model.RollSection(
                about=opened.about,
                items=tuple(opened.items),
                progress=opened.progress,
                board=_view(after).board(),
                sheets=_compare_sheets(self._show(opened.before), self._show(after)),
            )
        )

    def _show(self, state: TableState) -> _ShownSheets:
        """Return the sheets of a table; a section begins with those that ended the last one."""
        if self._shown is None or self._shown.state is not state:
            self._shown = _show_sheets(state)
        return self._shown

    def _build_roll(
        self, entry: Entry, roll: written.RollEntry, before: TableState
    ) -> model.RollItem:
        self.rolls += 1
        return model.RollItem(
            number=self.rolls,
            seq=entry.seq,
            at=self._times.clock(entry.at_ms),
            by=roll.by,
            faces=_dice(before, roll.roll),
            fixes=tuple(
                model.Correction(
                    at=self._times.clock(at_ms),
                    by=fix.by,
                    reason=fix.reason,
                    was=_dice(before, fix.was),
                    now=_dice(before, fix.roll),
                )
                for at_ms, fix in self._fixes.get(entry.seq, ())
            ),
            by_hand=roll.by_hand,
            reason=roll.reason,
            held=_describe_choice(before, roll.by, roll.held)[0] if roll.held else "",
            panel=roll.panel,
            seen=build_seen_picture(roll, self._pictures),
        )

    def _build_rejected(self, entry: Entry, reading: written.ReadingEntry) -> model.RejectedReading:
        """Without its picture if a later roll shows the same one."""
        is_taken = reading.picture in self._roll_pictures
        seen = build_seen_picture(reading, None if is_taken else self._pictures)
        return model.RejectedReading(entry.seq, self._times.clock(entry.at_ms), reading.by, seen)

    def _build_item(
        self, entry: Entry, said: written.TableEntry | written.UnknownEntry, before: TableState
    ) -> model.Item:
        if entry.kind == "checkpoint":
            return build_checkpoint_item(entry, self._times)
        if not isinstance(said, written.ActionEntry):
            return describe_entry(entry, self._times)
        text, gain = _describe_choice(before, said.by, said.do)
        return model.ChoiceItem(
            at=self._times.clock(entry.at_ms),
            by=said.by,
            action=said.do,
            text=text,
            gain=gain,
            panel=said.panel,
            is_undone=entry.seq in self._undone,
        )


def _describe_choice(state: TableState, by: str, action: str) -> tuple[str, str]:
    """Return an action in words and its gain; an unknown action is returned unchanged."""
    for offered in list_offers(state, by):
        if offered.action == action:
            view = _view(replace(state, screen=Screen(active_chooser=by)), action)
            gain = format_signed(offered.gain) if offered.gain is not None else ""
            return view.describe_choice(offered), gain
    return action, ""


def _describe_progress(roll: written.RollEntry, before: TableState, after: TableState) -> str:
    """
    Return the progress of the game at a roll, as the screen showed it.

    In Black'n'White the last throw of a round ends it, so the state after it is in the next round.
    """
    if not before.play.rules.ui.rolls_end_rounds:
        return _view(after).progress_text()
    held = apply_action(before, by=roll.by, action=roll.held) if roll.held else before
    return _view(held).progress_text()


def _view(state: TableState, action: str = "") -> GameView:
    view = create_view(state, action)
    assert view is not None, "a game is on as long as its story is told"
    return view


@dataclass(frozen=True, slots=True)
class _ShownSheets:
    """A table with the totals and the sheets of its players."""

    state: TableState
    totals: Mapping[str, int]
    sheets: Mapping[str, SheetView]


def _show_sheets(state: TableState) -> _ShownSheets:
    game, view = require_game(state), _view(state)
    return _ShownSheets(state, game.totals(), {name: view.sheet(name) for name in game.players})


def _compare_sheets(then: _ShownSheets, now: _ShownSheets) -> tuple[model.PlayerSheet, ...]:
    ui = now.state.play.rules.ui
    return tuple(
        model.PlayerSheet(
            name=name,
            total=now.totals[name],
            gain=format_signed(now.totals[name] - then.totals.get(name, 0)),
            sheet=sheet,
            before=before,
            is_new=ui.without_offers(sheet) != ui.without_offers(before),
        )
        for name, sheet in now.sheets.items()
        # Who has just sat down had no sheet before.
        for before in (then.sheets.get(name, sheet),)
    )


def _dice(state: TableState, roll: str) -> tuple[str, ...]:
    return state.play.rules.parse_roll(roll)


# The code is the one that was on the screen, so it can be scanned from paper. Only a checkpoint
# kept outside of the table proves anything.
def build_checkpoint_item(entry: Entry, times: TimeFormat) -> model.CheckpointItem:
    """Return the item of a checkpoint's entry; InputError if a field of it is malformed."""
    checkpoint, _ = decode_checkpoint(entry.body, at_ms=entry.at_ms)
    text = encode_checkpoint(checkpoint)
    return model.CheckpointItem(
        at=times.clock(entry.at_ms),
        size=checkpoint.size,
        words=format_words(checkpoint.size, checkpoint.root),
        root=checkpoint.root.hex(),
        text=text,
        code=render_qr_svg(text, is_inline=True).decode("ascii"),
    )
