# SPDX-License-Identifier: MIT
"""
The rule for names, and for every other line that people type: one for all pages and programs.

Two players whose names look the same must not sit side by side, so what shows nothing is refused.
Joiners are part of many names and emoji: they are allowed where they join or separate something
(RFC 5892, A.1 and A.2, and UTS 39), and ignored when names are compared. The rule holds for what
people enter; journals and records that were written before it are read as they are.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

import idna

from controller.base.errors import InputError
from controller.base.languages.message import Message, message
from controller.base.languages.shown_text import DIRECTION_MARKS, UNSEEN

NAME_LONGEST = 40
"""
Most characters of a name, as Unicode counts them (code points).

The formats of journals and the schemas of other programs count so too. It is 160 bytes at most.
"""
_SHOWN_BEFORE = 20
_MOST_MARKS = 4  # Marks on one letter (UTS 39, 5.4); more of them cover the lines above and below.

# The confusables of Unicode (UTS 39) that a keyboard can type.
_PAIRS = (
    # Cyrillic
    "АA ВB ЕE ЅS ІI ЈJ КK МM НH ОO РP СC ТT УY ХX ҮY ԚQ ԜW"
    " аa еe ѕs іi јj кk оo рp сc уy хx үy һh ԁd ԛq ԝw ӏl ѵv гr"
    # Greek
    " ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX αa γy ιi κk νv οo ρp υu"
    # Armenian
    " ՕO ՍU ՏS օo սu ոn հh զq"
    # Cherokee
    " ᎪA ᏴB ᏟC ᎠD ᎬE ᏀG ᎻH ᎫJ ᏦK ᏞL ᎷM ᏢP ᏒR ᏚS ᎢT ᏙV ᎳW ᏃZ"
    # Latin letters and digits
    " ıi ɑa ɡg 0O 1l Il |l"
)
_LOOKS = {ord(pair[0]): pair[1] for pair in _PAIRS.split()}
# A capital I looks like a small l, so letters that look like I follow it.
_LOOKS.update({code: "l" for code, look in _LOOKS.items() if look == "I"})

_NON_JOINER, _JOINER = "\u200c", "\u200d"
_TEXT_STYLE, _EMOJI_STYLE = "\ufe0e", "\ufe0f"
_KEYCAP = "\u20e3"
_VIRAMA = 9  # The combining class of the marks that join two consonants.
_EMOJI = ("\U0001f000", "\U0001faff")  # The emoji, those of later versions of Unicode too.
_EMOJI_PUNCTUATION = "‼⁉〰ℹ"
_SKIN_TONES = "\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"

_DIRECTION = re.compile(f"[{DIRECTION_MARKS}]")
_UNSEEN = re.compile(f"[{UNSEEN}]")
_SELECTOR = re.compile("[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_FLAG = re.compile("(?<=\U0001f3f4)[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f")
"""What makes the black flag that of a country, such as Wales."""


def normalize_name(name: str) -> str:
    """Return a name without spaces around it, in the normal form of Unicode (NFC)."""
    return unicodedata.normalize("NFC", name.strip())


def clean_line(text: str) -> str:
    """Return a line as people meant it: in its normal form, with one plain space between words."""
    spaced = "".join(" " if unicodedata.category(each) == "Zs" else each for each in text)
    return re.sub(" +", " ", normalize_name(spaced))


def require_name(name: str, where: str = "") -> str:
    """Return an entered name as `clean_line` makes it; InputError says why it is none."""
    cleaned = clean_line(name)
    if problem := find_line_problem(cleaned):
        expected = message(
            "a name of 1 to {most} characters that can all be seen", most=NAME_LONGEST
        )
        raise InputError(expected=expected, found=problem, where=where)
    return cleaned


def require_different_names(names: Iterable[str], where: str = "") -> tuple[str, ...]:
    """Return entered names as `clean_line` makes them; InputError also if two look the same."""
    looks: dict[str, str] = {}
    for name in (require_name(each, where) for each in names):
        if other := looks.get(compute_look(name)):
            expected = message("names that do not look alike")
            found = message("{name} and {other}", name=other, other=name)
            raise InputError(expected=expected, found=found, where=where)
        looks[compute_look(name)] = name
    return tuple(looks.values())


def is_visible(name: str) -> bool:
    """Return whether a name shows anything."""
    return compute_look(name) != ""


def find_line_problem(line: str, most: int = NAME_LONGEST, fewest: int = 1) -> Message | None:
    """Return what a cleaned line has and must not have, such as an invisible character."""
    if len(line) > most:
        return message("{count} characters, more than {most}", count=len(line), most=most)
    if len(line) < fewest:
        return message("nothing that can be seen")
    if line.isascii() and line.isprintable() and line.strip():
        return None
    found = next(_find_problems(_FLAG.sub("", line)), None)
    if found is None and fewest and not is_visible(line):
        return message("nothing that can be seen")
    return found


def compute_look(name: str) -> str:
    """Return a text that is the same for names that look the same; it is not for display."""
    return remove_joiners(compute_written_look(name))


def remove_joiners(look: str) -> str:
    """Return a look without joiners and the like, with one space between words."""
    seen = (each for each in look if unicodedata.category(each) != "Cf")
    return " ".join("".join(seen).split())


def compute_written_look(name: str) -> str:
    """
    Return the look by which the journal of an event distinguishes names: with joiners.

    It is part of the journal's format, so a change would refuse entries that were accepted.
    """
    letters = unicodedata.normalize("NFKD", name).translate(_LOOKS)
    return "".join(each for each in letters if not _shows_nothing(each)).casefold().strip()


def _shows_nothing(sign: str) -> bool:
    is_unseen = _UNSEEN.match(sign) is not None and unicodedata.category(sign) != "Cf"
    return is_unseen or _SELECTOR.match(sign) is not None


def _find_problems(line: str) -> Iterator[Message]:
    marks = 0
    for at, sign in enumerate(line):
        category, before = unicodedata.category(sign), line[:at]
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if category in ("Cc", "Zl", "Zp"):
            yield message(
                "a line break or another control character ({place})",
                place=_describe_place(line, at),
            )
        elif category == "Cs":
            yield message("half a character ({place})", place=_describe_place(line, at))
        elif _DIRECTION.match(sign):
            yield message(
                "a character that turns the direction of writing ({place})",
                place=_describe_place(line, at),
            )
        elif sign in (_NON_JOINER, _JOINER):
            if not _joins(line, at):
                yield message(
                    "a joiner that joins nothing ({place})", place=_describe_place(line, at)
                )
        elif _SELECTOR.match(sign):
            if not _selects(line, at):
                yield message("an invisible character ({place})", place=_describe_place(line, at))
        elif _UNSEEN.match(sign) or category == "Cf":
            yield message("an invisible character ({place})", place=_describe_place(line, at))
        elif category == "Co" or (category == "Cn" and not _is_emoji(sign)):
            yield message(
                "a character that screens may not know ({place})", place=_describe_place(line, at)
            )
        elif category.startswith("M") and before[-1:] in ("", " "):
            yield message("an accent without a letter ({place})", place=_describe_place(line, at))
        elif marks > _MOST_MARKS:
            yield message(
                "more than {most} accents on one letter ({place})",
                most=_MOST_MARKS,
                place=_describe_place(line, at),
            )


def _describe_place(line: str, at: int) -> Message:
    code, before = f"U+{ord(line[at]):04X}", line[max(0, at - _SHOWN_BEFORE) : at]
    if not before:
        return message("{code}, at the beginning", code=code)
    return message("{code}, after “{before}”", code=code, before=before)


def _joins(line: str, at: int) -> bool:
    """Return whether the joiner at this place of a line joins or separates what is around it."""
    before, after = line[:at], line[at + 1 :]
    if line[at] == _JOINER and after:
        base = before.rstrip(_SKIN_TONES).removesuffix(_EMOJI_STYLE)
        if _is_emoji(base[-1:]) and _is_emoji(after[0]):
            return True
        if before[-1:].isalpha() and unicodedata.combining(after[0]) == _VIRAMA:
            # In Bengali and Kannada it keeps a first consonant whole.
            return True
    has_name = bool(before) and unicodedata.name(before[-1], "") != ""
    return has_name and idna.valid_contextj(line, at)


def _selects(line: str, at: int) -> bool:
    """Return whether the selector at this place of a line may change the sign before it."""
    sign, before = line[at], line[at - 1 : at]
    if not before:
        return False
    if sign not in (_TEXT_STYLE, _EMOJI_STYLE):
        # Only ideographs and other letters without cases have forms to choose from.
        return unicodedata.category(before) == "Lo"
    return _is_emoji(before) or (before in "0123456789#*" and line[at + 1 : at + 2] == _KEYCAP)


def _is_emoji(sign: str) -> bool:
    if _EMOJI[0] <= sign <= _EMOJI[1]:
        return True
    return sign != "" and (sign in _EMOJI_PUNCTUATION or unicodedata.category(sign) in ("So", "Sm"))
