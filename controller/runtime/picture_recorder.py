# SPDX-License-Identifier: MIT
"""
Record what the camera saw: a picture of the tray for each rest, and a clip of the throw.

Without a calibration the position of the tray is unknown, so the whole frame is kept.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from controller.base.logs import Log
from controller.base.settings import EvidenceSettings
from controller.journal.picture_store import PictureStore, compute_digest
from controller.table.events import PictureInfo, RejectedShape, TrayLift
from vision.clips import ClipRing
from vision.frame import Frame, Image
from vision.image_files import encode_jpeg
from vision.reading import Lift, TrayReading
from vision.tray_crop import TrayCrop, crop_to_tray, keep_whole_frame
from vision.tray_map import TrayMap

DEFAULT_QUALITY = 90
LEAD_S = 0.5  # A clip begins this long before the first motion.

CLIP_PX = 480  # The longer side of a clip's frames.

TrayLookup = Callable[[tuple[int, int]], TrayMap | None]
"""Returns the tray map for frames of this width and height; `None` without a calibration."""


def no_tray_map(frame_wh: tuple[int, int]) -> TrayMap | None:
    """Return no tray map, for a table without a calibration."""
    return None


@dataclass(frozen=True, slots=True)
class _Crops:
    tray: TrayMap | None
    whole: TrayCrop
    small: TrayCrop


class PictureRecorder:
    """
    Records the pictures of one camera, in the thread of that camera.

    `recent` holds the pictures until the table stores one, `ring` the frames of clips.
    `on_uncropped` is called when whole frames are stored, because the tray is unknown.
    """

    def __init__(
        self,
        recent: RecentPictures,
        *,
        tray_for: TrayLookup = no_tray_map,
        quality: int = DEFAULT_QUALITY,
        ring: ClipRing | None = None,
        on_uncropped: Callable[[], None] = lambda: None,
    ) -> None:
        self._recent = recent
        self._tray_for = tray_for
        self._quality = quality
        self._ring = ring
        self._on_uncropped = on_uncropped
        self._crops: _Crops | None = None
        self._moved_since_s: float | None = None
        self._clip = b""

    def start_over(self) -> None:
        """Forget all frames: a motion that began earlier cannot be shown completely."""
        self._moved_since_s = None
        self._clip = b""
        if self._ring is not None:
            self._ring.clear()

    def add_frame(self, frame: Frame, *, is_moving: bool) -> None:
        """Add a frame to the clip, if clips are recorded."""
        if self._ring is None:
            return
        if is_moving and self._moved_since_s is None:
            self._moved_since_s = frame.at_s
        self._ring.add(frame.at_s, lambda: self._small(frame.image_bgr))

    def capture(self, frame: Frame, reading: TrayReading) -> tuple[str, PictureInfo]:
        """Capture the picture of a reading; return its digest, and its metadata."""
        self._end_clip(frame)
        crop = self._crops_for(frame.image_bgr).whole
        picture = encode_jpeg(crop.apply(frame.image_bgr), quality=self._quality)
        shot = PictureInfo(
            crop_px=crop.rectangle_px,
            frame_wh=crop.frame_wh,
            clip=compute_digest(self._clip) if self._clip else "",
            rejected=tuple(RejectedShape(each.reason, each.center_px) for each in reading.rejected),
            table_model=reading.table_model,
            background=reading.background,
            lifts=tuple(to_tray_lift(lift) for lift in reading.lifts),
        )
        return self._recent.add(picture, self._clip), shot

    def _end_clip(self, frame: Frame) -> None:
        """Finish the clip of a throw; a second reading of the same rest keeps its clip."""
        if self._ring is None or self._moved_since_s is None:
            return
        self._ring.add(frame.at_s, lambda: self._small(frame.image_bgr), is_last=True)
        self._clip = self._ring.make_clip(self._moved_since_s - LEAD_S)
        self._moved_since_s = None

    def _small(self, image: Image) -> Image:
        return self._crops_for(image).small.apply(image)

    def _crops_for(self, image: Image) -> _Crops:
        frame_wh = (image.shape[1], image.shape[0])
        tray = self._tray_for(frame_wh)
        crops = self._crops
        if crops is None or crops.tray != tray or crops.whole.frame_wh != frame_wh:
            whole = crop_to_tray(tray) if tray else keep_whole_frame(frame_wh)
            crops = self._crops = _Crops(tray, whole, whole.shrink(CLIP_PX))
            if tray is None:
                self._on_uncropped()
        return crops


def to_tray_lift(lift: Lift) -> TrayLift:
    """Return a removed doubt for the table, with its position rounded as in the journal."""
    x, y = lift.center_px
    return TrayLift(
        lift.kind.value,
        (round(x, 3), round(y, 3)),
        round(lift.radius_px, 3),
        round(lift.share * 1_000_000),
    )


_LOG = Log("evidence")

UNCALIBRATED_NOTICE = (
    "The tray is not calibrated: pictures of rolls show everything that the camera sees, not only"
    " the tray. Calibrate it on the page /calibrate."
)


@dataclass(frozen=True, slots=True)
class RecordingOptions:
    # Clips, quality and retention.
    settings: EvidenceSettings = field(default_factory=EvidenceSettings)
    tray_for: TrayLookup = no_tray_map  # Returns where the tray is in frames of a size.

    def create_recorder(self, recent: RecentPictures) -> PictureRecorder:
        return PictureRecorder(
            recent,
            tray_for=self.tray_for,
            quality=self.settings.picture_quality,
            ring=ClipRing() if self.settings.clips else None,
            on_uncropped=lambda: _LOG.warning("whole frames are kept"),
        )


RECENT_LIMIT = 8


@dataclass(frozen=True, slots=True)
class _RecentPicture:
    picture: bytes
    clip: bytes


class RecentPictures:
    """Pictures with the clips of their throws; may be used from any thread."""

    def __init__(self) -> None:
        self._pictures: OrderedDict[str, _RecentPicture] = OrderedDict()
        self._lock = threading.Lock()

    def add(self, picture: bytes, clip: bytes = b"") -> str:
        """Add a JPEG and the clip of its throw, if any; return its digest. The oldest goes."""
        digest = compute_digest(picture)
        with self._lock:
            self._pictures[digest] = _RecentPicture(picture, clip)
            while len(self._pictures) > RECENT_LIMIT:
                self._pictures.popitem(last=False)
        return digest

    def store(self, digest: str, pictures: PictureStore) -> None:
        """Write a picture and its clip to the disk, or OSError; KeyError if it was dropped."""
        with self._lock:
            held = self._pictures[digest]
        pictures.store(held.picture)
        if held.clip:
            pictures.store_clip(held.clip)
