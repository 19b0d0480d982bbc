# SPDX-License-Identifier: MIT
"""Check the settings file: is there one, and is it accepted?"""

from __future__ import annotations

from collections.abc import Iterator

from controller.appliance.doctor.context import DiagnosticContext
from controller.appliance.doctor.finding import DiagnosticFinding, note, ok, wrong
from controller.base.errors import InputError
from controller.base.languages.message import message

SETTINGS = "settings"
PRINT = message("begin with: dicebell run --print-config > dicebell.toml")


def check_settings(context: DiagnosticContext) -> Iterator[DiagnosticFinding]:
    if context.config is None:
        yield note(SETTINGS, message("there is no file, so every setting has its default"), PRINT)
    else:
        camera, panel = context.settings.camera.driver, context.settings.panel.driver
        what = message(
            "{file}: camera {camera}, panel {panel}",
            file=context.config,
            camera=camera.value,
            panel=panel.value,
        )
        yield ok(SETTINGS, what)


def report_refused_settings(error: InputError) -> DiagnosticFinding:
    mend = message(
        "correct it, or run this as a user who may read it; otherwise the table does not start"
    )
    return wrong(SETTINGS, error.args[0], mend)
