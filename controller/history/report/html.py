# SPDX-License-Identifier: MIT
"""
A report as one HTML file that opens anywhere, also without a network.

Its policy allows only its own pictures and the one style whose digest it names. A name that
looks like markup is escaped, and even unescaped it would not run.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from controller.base.languages.catalogue import Catalogue
from controller.base.languages.codes import ENGLISH
from controller.base.languages.message import Message, percent_message
from controller.base.languages.shown_text import isolate_text
from controller.games.wording import dice_words, format_signed
from controller.history.report.luck import (
    describe_better,
    describe_certainty,
    head_choices,
    write_luck,
)
from controller.history.report.model import PlayerSheet
from controller.history.report.report import Report

_STYLES = (
    files("controller.base") / "tokens.css",
    files("controller.history.report") / "templates" / "report.css",
)
ENGLISH_CATALOGUE = Catalogue(ENGLISH, {})


def render_html(report: Report, catalogue: Catalogue = ENGLISH_CATALOGUE) -> str:
    environment = _environment(catalogue)
    style = read_style()
    return environment.get_template("report.html").render(
        report=report, story=report.story, style=Markup(style), policy=build_policy(style)
    )


@cache
def read_style() -> str:
    """Return the style of every report: the design of all pages, then its own."""
    return "".join(path.read_text(encoding="utf-8") for path in _STYLES)


@cache
def _environment(catalogue: Catalogue) -> Environment:
    """Return the templates in a language; cached, because compiling takes longer than rendering."""
    environment = Environment(
        loader=PackageLoader("controller.history.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n"],
        # Every message of the report's values is translated when it is printed, and a name
        # turns nothing around it.
        finalize=lambda value: _show(catalogue.translate(value)),
    )
    environment.install_gettext_callables(  # type: ignore[attr-defined]
        catalogue.find, catalogue.find, newstyle=True
    )
    environment.globals["translate_journalled"] = catalogue.find_journalled
    environment.globals["language"] = catalogue.language
    for function in (
        *(format_signed, dice_words, select_new_sheets, write_percent),
        *(write_luck, head_choices, describe_better, describe_certainty),
    ):
        environment.globals[function.__name__] = function
    environment.filters["as_is"] = Markup
    environment.filters["isolate"] = isolate_text
    return environment


def _show(value: object) -> object:
    return isolate_text(value) if type(value) is str else value


def build_policy(style: str) -> str:
    """Return a content security policy that allows this style and no requests."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode("ascii")
    return (
        f"default-src 'none'; img-src data:; style-src 'sha256-{digest}';"
        " base-uri 'none'; form-action 'none'"
    )


def select_new_sheets(sheets: tuple[PlayerSheet, ...]) -> list[PlayerSheet]:
    return [sheet for sheet in sheets if sheet.is_new]


def write_percent(ppm: int) -> Message:
    """Write a share in millionths: `99.8 %`."""
    return percent_message(ppm / 10_000, ".1f")
