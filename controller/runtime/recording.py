# SPDX-License-Identifier: MIT
"""Options for the recording of pictures, and the notice of a table without a calibration."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field

from controller.base.logs import log_event, logger
from controller.base.settings import EvidenceSettings
from controller.runtime.picture_recorder import PictureRecorder, TrayLookup, no_tray_map
from controller.runtime.recent_pictures import RecentPictures
from vision.clips import ClipRing

_LOG = logger("evidence")

UNCALIBRATED_NOTICE = (
    "The tray is not calibrated: pictures of rolls show everything that the camera sees, not only"
    " the tray. Calibrate it on the page /calibrate."
)


@dataclass(frozen=True, slots=True)
class RecordingOptions:
    """How pictures are recorded."""

    # Clips, quality and retention.
    settings: EvidenceSettings = field(default_factory=EvidenceSettings)
    tray_for: TrayLookup = no_tray_map  # Returns where the tray is in frames of a size.

    def create_recorder(self, recent: RecentPictures) -> PictureRecorder:
        return PictureRecorder(
            recent,
            tray_for=self.tray_for,
            quality=self.settings.picture_quality,
            ring=ClipRing() if self.settings.clips else None,
            on_uncropped=_log_uncropped,
        )


def _log_uncropped() -> None:
    log_event(_LOG, logging.WARNING, "whole frames are kept")
