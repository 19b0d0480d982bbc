# SPDX-License-Identifier: MIT
"""`dicebell prove`: prove a roll or a continuation without the journal, and check such proofs."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from datetime import UTC
from pathlib import Path

from controller.base.durable_files import open_regular_file
from controller.base.errors import InputError, format_one_line, refuse_os_errors
from controller.base.moments import format_moment
from controller.cli.arguments import (
    Subparsers,
    parse_folder,
    require_data_folder,
    whole_number_type,
)
from controller.cli.export import write_output
from controller.journal.checkpoint import Checkpoint, parse_checkpoint
from controller.journal.entries import ROLLS, ThrowEntry, read_entry
from controller.journal.hashchain import BrokenEntryError, Entry, decode_entry
from controller.journal.journal import read_journal
from controller.journal.records.from_journal import JournalGames, select_game
from controller.journal.signing_key import load_public_key
from controller.journal.tlog.checkpoint_note import (
    TreeHead,
    derive_origin,
    is_signed_by,
    parse_tree_head,
)
from controller.journal.tlog.kept_checkpoints import is_kept_signed
from controller.journal.tlog.proof_file import (
    MAX_PROOF_BYTES,
    InclusionProof,
    Proof,
    encode_proof,
    find_fault,
    parse_proof,
)
from controller.journal.tlog.provable_journal import ProvableJournal, find_newest_key
from controller.journal.tlog.signed_note import SignedNote, encode_verifier_key, parse_verifier_key

MAX_TEXT = 300


def add_parser(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "prove",
        help="prove one roll, or that a journal was only continued; check such a proof",
        description=(
            "Print the newest checkpoint as a signed note (C2SP), or a proof that leads to it:"
            " of one roll or one answer to a request for dice, or that the journal continues an"
            " older checkpoint. With --check, check such a file; that takes the table's public key"
            " and no journal."
        ),
        epilog="Exit status: 0 done, 1 the proof does not hold, 2 wrong input.",
    )
    parser.add_argument(
        "data", nargs="?", type=parse_folder, metavar="DATA", help="the data folder of a table"
    )
    what = parser.add_mutually_exclusive_group()
    number = whole_number_type(1)
    what.add_argument(
        "--roll", type=number, metavar="N", help="prove this roll of a game, counted from 1"
    )
    what.add_argument(
        "--entry",
        type=whole_number_type(0),
        metavar="N",
        help="prove the roll, or the answer to a request for dice, of this entry of the journal",
    )
    what.add_argument(
        "--from",
        dest="old_size",
        type=number,
        metavar="SIZE",
        help="prove that the journal continues the checkpoint of SIZE entries",
    )
    what.add_argument(
        "--verifier-key",
        action="store_true",
        help="print the table's public key in the format of tools for signed notes",
    )
    what.add_argument("--check", type=Path, metavar="FILE", help="check a proof or a note")
    parser.add_argument(
        "--game", type=number, metavar="N", help="of which game the roll is, from 1 (the last one)"
    )
    parser.add_argument(
        "--size", type=number, metavar="SIZE", help="prove against this checkpoint (the newest one)"
    )
    parser.add_argument(
        "--output", type=Path, metavar="FILE", help="a file to write (standard output)"
    )
    _add_check_arguments(parser)


def _add_check_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--key", metavar="KEY", help="to check: table.pub of the table, or its verifier key"
    )
    parser.add_argument(
        "--checkpoint",
        metavar="TEXT",
        help="to check a continuation: the older one, as its code or as the file of its note",
    )
    parser.add_argument("--json", action="store_true", help="print what was checked as JSON")


def run(args: argparse.Namespace) -> int:
    if args.check is not None:
        return _check(args)
    if args.data is None:
        raise InputError(expected="DATA, or --check FILE", found="neither")
    require_data_folder(args.data)
    entries = read_journal(args.data).entries
    if args.verifier_key:
        public = find_newest_key(entries)
        content = f"{encode_verifier_key(derive_origin(public), public)}\n"
    else:
        content = encode_proof(_prove(args, entries))
    write_output(content.encode(), args.output)
    return 0


def _prove(args: argparse.Namespace, entries: Sequence[Entry]) -> Proof:
    if args.roll is not None or args.entry is not None:
        roll = (
            _find_roll(entries, args.game, args.roll)
            if args.entry is None
            else _require_roll(entries, args.entry)
        )
        where = "--roll" if args.entry is None else "--entry"
        return ProvableJournal(entries, args.size).prove_entry(roll.seq, where=where)
    journal = ProvableJournal(entries, args.size)
    return journal.note if args.old_size is None else journal.prove_continuation(args.old_size)


def _find_roll(entries: Sequence[Entry], game_number: int | None, number: int) -> Entry:
    game = select_game(JournalGames(entries), game_number)
    rolls = [entry for entry in game.entries if entry.kind == "roll"]
    if number > len(rolls):
        expected = f"a roll from 1 to {len(rolls)} of game {game.number}"
        found = str(number) if rolls else f"{number} in a game without a roll"
        raise InputError(expected=expected, found=found, where="--roll")
    return rolls[number - 1]


def _require_roll(entries: Sequence[Entry], seq: int) -> Entry:
    """Return the entry of a roll or an answer; programs know both by this number."""
    kind = entries[seq].kind if seq < len(entries) else "none"
    if kind not in ROLLS:
        expected = "an entry that is a roll, or the answer to a request for dice"
        found = f"a {kind}" if kind != "none" else f"{seq} in a journal of {len(entries)} entries"
        raise InputError(expected=expected, found=found, where="--entry")
    return entries[seq]


def _check(args: argparse.Namespace) -> int:
    if args.key is None:
        expected = "--key with the table's public key, to check the signature"
        raise InputError(expected=expected, found="none", where="--check")
    proof, (name, public) = parse_proof(_read_proof(args.check)), _load_signer(args.key)
    older = _parse_older(args.checkpoint, name, public) if args.checkpoint else None
    fault = find_fault(proof, name=name, public=public, older=older)
    entry = _decode_proven(proof) if isinstance(proof, InclusionProof) and not fault else None
    if isinstance(entry, str):
        fault, entry = entry, None
    head = parse_tree_head(proof if isinstance(proof, SignedNote) else proof.note)
    if args.json:
        answer = json.dumps(_build_json(proof, head, fault, entry))
    else:
        answer = f"not proven: {fault}" if fault else f"proven: {_describe(proof, head, entry)}"
        answer = format_one_line(answer, 2 * MAX_TEXT)
    sys.stdout.write(f"{answer}\n")
    return 1 if fault else 0


def _read_proof(path: Path) -> bytes:
    with (
        refuse_os_errors("a proof that can be read", path),
        open(open_regular_file(path), "rb") as file,
    ):
        return file.read(MAX_PROOF_BYTES + 1)


def _load_signer(text: str) -> tuple[str, bytes]:
    """Return origin and public key of the signer in `--key`: PEM, or the text of a verifier key."""
    if "+" in text and not Path(text).exists():
        return parse_verifier_key(text)
    public = load_public_key(Path(text))
    return derive_origin(public), public


def _parse_older(text: str, name: str, public: bytes) -> TreeHead:
    """Return the older checkpoint, which the same key must have signed."""
    if Path(text).is_file():
        note = parse_proof(_read_proof(Path(text)))
        if not isinstance(note, SignedNote) or not is_signed_by(note, name, public):
            expected = f"a note that {name} signed"
            raise InputError(expected=expected, found="another file", where=text)
        return parse_tree_head(note)
    kept = parse_checkpoint(text)
    if not isinstance(kept, Checkpoint):
        found = "words, which do not hold the whole root"
        raise InputError(expected="a checkpoint's code or note", found=found, where="--checkpoint")
    if not is_kept_signed(kept, public):
        expected = f"a checkpoint that {name} signed"
        raise InputError(expected=expected, found="another signature", where="--checkpoint")
    return TreeHead(name, kept.size, kept.root)


def _decode_proven(proof: InclusionProof) -> Entry | str:
    """Return the entry of a valid proof, or why its line is not an entry."""
    try:
        entry = decode_entry(proof.line)
    except BrokenEntryError as error:
        return f"the proven line is not an entry: {error.what}"
    if entry.seq != proof.index:
        return f"entry {entry.seq} is at the position of entry {proof.index}"
    return entry


def _describe(proof: Proof, head: TreeHead, entry: Entry | None) -> str:
    signed = f"signed by {head.origin}"
    if entry is not None:
        at = format_moment(entry.at_ms, "%Y-%m-%d %H:%M:%S UTC", UTC)
        article = "an" if entry.kind[:1] in "aeiou" else "a"
        what = f"entry {entry.seq} of {head.size}, {signed}, is {article} {entry.kind}"
        said = read_entry(entry)
        if not isinstance(said, ThrowEntry):
            return f"{what} of {at}"
        who = f"{said.roll} {'by' if entry.kind == 'roll' else 'for'} {said.by}"
        return f"{what}: {who}, {f'entered by {said.by_hand}, ' if said.by_hand else ''}{at}"
    if isinstance(proof, SignedNote):
        return f"a checkpoint of {head.size} entries, {signed}"
    old_size = "" if isinstance(proof, InclusionProof) else proof.old_size
    return f"the {head.size} entries continue the first {old_size}, {signed}"


def _build_json(proof: Proof, head: TreeHead, fault: str, entry: Entry | None) -> dict[str, object]:
    proven = entry.kind if entry and entry.kind in ROLLS else "roll"
    kinds = {InclusionProof: proven, SignedNote: "checkpoint"}
    return {
        "status": "refuted" if fault else "proven",
        "what": kinds.get(type(proof), "continuation"),
        "fault": fault,
        "origin": head.origin,
        "size": head.size,
        "root": head.root.hex(),
        "entry": json.loads(proof.line) if entry and isinstance(proof, InclusionProof) else None,
    }
