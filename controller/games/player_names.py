# SPDX-License-Identifier: MIT
"""
Compare names as the eye does: two players whose names look the same must not sit side by side.

The same word can be written with letters of other alphabets, with combining marks or with
characters that show nothing. The pairs below are those of the confusables of Unicode (UTS 39)
that a keyboard can type. A name itself is not changed by them: only its normal form (NFC) is.
"""

from __future__ import annotations

import unicodedata

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

_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")


def normalize_name(name: str) -> str:
    """Return a name without spaces around it, in the normal form of Unicode (NFC)."""
    return unicodedata.normalize("NFC", name.strip())


def is_visible(name: str) -> bool:
    """Return whether a name shows anything."""
    return compute_look(name) != ""


def compute_look(name: str) -> str:
    """Return a text that is the same for names that look the same; it is not for display."""
    letters = unicodedata.normalize("NFKD", name).translate(_LOOKS)
    return "".join(sign for sign in letters if not _is_invisible(sign)).casefold().strip()


def _is_invisible(sign: str) -> bool:
    is_selector = "\ufe00" <= sign <= "\ufe0f" or "\U000e0100" <= sign <= "\U000e01ef"
    return is_selector or sign in _INVISIBLE
