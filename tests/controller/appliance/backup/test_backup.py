# SPDX-License-Identifier: MIT
"""A table's memory goes into one file and comes back byte for byte, or not at all."""

from __future__ import annotations

import hashlib
import json
import os
import tracemalloc
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from controller.appliance.backup.archive import (
    MANIFEST_NAME,
    ArchivedFile,
    Manifest,
    manifest_text,
    parse_manifest,
    require_name,
)
from controller.appliance.backup.create import make_backup
from controller.appliance.backup.data_files import SETTINGS_NAME
from controller.appliance.backup.restore import RestoreResult, restore_backup
from controller.base.errors import InputError
from controller.base.untrusted_zip import SPARE_BYTES
from controller.base.version import program_version
from controller.history.name_book import NAMES_FILE
from controller.journal.continuity.restore_marker import MARKER_FILE, load_marker
from controller.journal.continuity.signing_memory import MEMORY_FILE
from controller.journal.journal import JOURNAL_FILE, LOCK_FILE, Journal, read_journal
from controller.journal.picture_store import PictureStore
from controller.journal.signing_key import PRIVATE_FILE, PUBLIC_FILE, TableKey
from controller.runtime.access.login_memory import FILE_NAME as LOGINS_FILE
from controller.runtime.access.seats import FILE_NAME as SEATS_FILE
from controller.runtime.access.store import FILE_NAME as ACCESS_FILE
from controller.runtime.calibration.store import FILE as CALIBRATION_FILE
from controller.tournament.sending.event_witness import FILE_NAME as WITNESS_FILE
from controller.tournament.sending.server_pin import FILE_NAME as TOURNAMENT_FILE
from controller.tournament.sending.server_pin import load_pin
from controller.tournament.server.event_folders import EVENT_FILE
from tests.support.full_disk import no_file_larger_than

NOW = datetime(2026, 11, 21, 18, 30, tzinfo=UTC)
SETTINGS = b'# mine\n[data]\nfolder = "somewhere"\n'


class Box:
    def __init__(self, root: Path) -> None:
        self.data, self.config = root / "data", root / "dicebell.toml"
        self.config.write_bytes(SETTINGS)
        journal, _ = Journal.open(self.data)
        journal.append("genesis", {"format": 1, "software": "dicebell", "torn": ""})
        journal.append("game", {"game": "choice", "players": ["Ada"], "options": {}})
        journal.close()
        self.picture = PictureStore(self.data).store(b"a picture of five dice")
        (self.data / "calibration.json").write_text('{"made_at": "today"}')
        (self.data / ACCESS_FILE).write_text("the PIN of this box")
        (self.data / LOGINS_FILE).write_text("the logins of this box")
        self.key = TableKey.load_or_create(self.data)

    def backup(self, target: Path, *, with_pictures: bool = True) -> Path:
        make_backup(self.data, self.config, target, now=NOW, with_pictures=with_pictures)
        return target

    def restore(self, source: Path, *, is_forced: bool = True) -> Path | None:
        return restore_backup(source, self.data, self.config, now=NOW, is_forced=is_forced).aside

    def restore_foreign(self, source: Path, *, is_trusted: bool = False) -> RestoreResult:
        return restore_backup(
            source, self.data, self.config, now=NOW, is_forced=True, is_trusted=is_trusted
        )

    def files(self) -> dict[str, bytes]:
        found = (path for path in self.data.rglob("*") if path.is_file())
        return {
            str(path.relative_to(self.data)): path.read_bytes()
            for path in found
            if path.name not in (LOCK_FILE, MARKER_FILE)
        }


@pytest.fixture
def box(tmp_path: Path) -> Box:
    (tmp_path / "box").mkdir()
    return Box(tmp_path / "box")


@pytest.fixture
def saved(box: Box, tmp_path: Path) -> Path:
    return box.backup(tmp_path / "saved.zip")


def add_event(box: Box, number: int) -> Path:
    """Make an event of a desk in the data folder; return its folder."""
    (folder := box.data / "events" / str(number)).mkdir(parents=True)
    (folder / EVENT_FILE).write_bytes(b"an event")
    TableKey.load_or_create(folder)
    return folder


def test_an_event_of_a_desk_comes_back_with_its_key(box: Box, tmp_path: Path) -> None:
    folder = add_event(box, 2)
    saved = box.backup(tmp_path / "saved.zip")
    assert not any(PRIVATE_FILE in name for name in zipfile.ZipFile(saved).namelist())
    before = box.files()
    (folder / EVENT_FILE).unlink()
    add_event(box, 3)
    box.restore(saved)
    assert box.files() == before
    # Another machine's backup leaves the events of this one, with their keys.
    box.restore_foreign(rewritten(saved, tmp_path / "foreign.zip", unsign))
    assert box.files() == before


def unsign(name: str, content: bytes) -> bytes:
    if name != MANIFEST_NAME:
        return content
    return manifest_text(replace(parse_manifest(content.decode()), signature="")).encode()


def rewritten(source: Path, target: Path, change: Callable[[str, bytes], bytes | None]) -> Path:
    """Write a zip anew with some of its files changed, or left out."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            content = change(name, old.read(name))
            if content is not None:
                new.writestr(name, content)
    return target


def packed(target: Path, files: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    """Write an archive by hand, with a manifest that fits unless one is given."""
    items = {
        name: ArchivedFile(len(content), hashlib.sha256(content).hexdigest())
        for name, content in files.items()
    }
    manifest = manifest_text(Manifest("dicebell", "now", items)).encode()
    with zipfile.ZipFile(target, "w", method) as archive:
        for name, content in {MANIFEST_NAME: manifest, **files}.items():
            archive.writestr(name, content)
    return target


def test_what_was_damaged_comes_back_and_the_damaged_lies_aside(box: Box, saved: Path) -> None:
    before = box.files()
    (box.data / JOURNAL_FILE).write_bytes(b"scribble")
    PictureStore(box.data).picture_path(box.picture).unlink()
    box.config.write_bytes(b"[table]\n")
    aside = box.restore(saved)
    assert box.files() == before
    assert box.config.read_bytes() == SETTINGS
    assert aside is not None
    assert (aside / JOURNAL_FILE).read_bytes() == b"scribble"
    (kept,) = box.config.parent.glob("dicebell.toml.before-*")
    assert kept.read_bytes() == b"[table]\n"


def test_a_trusted_backup_brings_a_new_machine_all_but_the_pin(saved: Path, tmp_path: Path) -> None:
    data, config = tmp_path / "new" / "data", tmp_path / "new" / "etc" / "dicebell.toml"
    data.parent.mkdir()
    restored = restore_backup(saved, data, config, now=NOW, is_trusted=True)
    assert (restored.aside, restored.is_whole, restored.left_out) == (None, True, {})
    assert (data / CALIBRATION_FILE).exists()
    assert restored.settings is not None
    assert restored.settings.data.folder == Path("somewhere")
    assert config.read_bytes() == SETTINGS
    assert len(read_journal(data).entries) == 2
    assert not (data / ACCESS_FILE).exists()
    restored_from = {"made_at": NOW.isoformat(), "software": program_version()}
    assert load_marker(data) == restored_from


def test_the_pin_of_this_box_stays(box: Box, saved: Path) -> None:
    for name in (ACCESS_FILE, LOGINS_FILE):
        (box.data / name).write_text("changed since")
    box.restore(saved)
    for name in (ACCESS_FILE, LOGINS_FILE):
        assert (box.data / name).read_text() == "changed since"
    assert b"of this box" not in saved.read_bytes()


def test_the_key_of_a_box_stays_in_it_and_in_no_backup(
    box: Box, saved: Path, tmp_path: Path
) -> None:
    with zipfile.ZipFile(saved) as archive:
        assert not any(name.endswith(PRIVATE_FILE) for name in archive.namelist())
    box.restore(saved)
    assert TableKey.load_or_create(box.data).public == box.key.public
    data = tmp_path / "new" / "data"
    data.parent.mkdir()
    restore_backup(saved, data, tmp_path / "new" / "dicebell.toml", now=NOW)
    assert TableKey.load_or_create(data).public != box.key.public


class TestForeign:
    """A backup of another machine brings games, pictures and names."""

    SENDS = b'[tournament]\naddress = "http://192.168.0.66:8090"\n[mqtt]\nenabled = true\n'

    @pytest.fixture
    def foreign(self, box: Box, tmp_path: Path) -> Path:
        """As an earlier version packed it: every file that says where to send is in it."""
        journal, _ = Journal.open(tmp_path / "other")
        journal.append("genesis", {"format": 1, "software": "dicebell", "torn": "", "other": "1"})
        journal.close()
        files = {
            f"data/{JOURNAL_FILE}": (tmp_path / "other" / JOURNAL_FILE).read_bytes(),
            f"data/{NAMES_FILE}": b"{}",
            f"data/pictures/ab/{'ab' * 32}.jpg": b"a picture",
            SETTINGS_NAME: self.SENDS,
            f"data/{CALIBRATION_FILE}": b"of another camera",
            f"data/{TOURNAMENT_FILE}": b'{"address": "http://192.168.0.66:8090"}',
            f"data/{WITNESS_FILE}": b"{}",
            f"data/{SEATS_FILE}": b"{}",
            f"data/{PUBLIC_FILE}": b"another key",
            "data/uplink2.json": b"of a later version",
        }
        return packed(tmp_path / "foreign.zip", files)

    def test_its_games_come_and_where_to_send_stays(self, box: Box, foreign: Path) -> None:
        (box.data / TOURNAMENT_FILE).write_text("the desk of this box")
        before = box.files()
        restored = box.restore_foreign(foreign)
        assert read_journal(box.data).entries[0].body["other"] == "1"
        after = box.files()
        new = {JOURNAL_FILE, NAMES_FILE}
        pictures = {name for name in after if name.startswith("pictures/")}
        assert {name for name in after if after[name] != before.get(name)} == new | pictures
        assert box.config.read_bytes() == SETTINGS
        assert restored.settings is None
        assert set(restored.left_out) == {
            *(SETTINGS_NAME, "data/uplink2.json"),
            *(f"data/{name}" for name in (CALIBRATION_FILE, TOURNAMENT_FILE, WITNESS_FILE)),
            *(f"data/{name}" for name in (SEATS_FILE, PUBLIC_FILE)),
        }
        assert all(restored.left_out.values())

    def test_a_fresh_machine_sends_nothing_after_it(self, foreign: Path, tmp_path: Path) -> None:
        data, config = tmp_path / "new", tmp_path / "dicebell.toml"
        restore_backup(foreign, data, config, now=NOW)
        assert load_pin(data) is None
        assert not config.exists()
        assert {path.name for path in data.iterdir()} == {
            *(JOURNAL_FILE, NAMES_FILE, "pictures", MARKER_FILE)
        }

    def test_a_trusted_one_brings_all_but_what_belongs_to_a_key(
        self, box: Box, foreign: Path
    ) -> None:
        restored = box.restore_foreign(foreign, is_trusted=True)
        assert box.config.read_bytes() == self.SENDS
        assert (box.data / CALIBRATION_FILE).read_bytes() == b"of another camera"
        assert (box.data / "uplink2.json").exists()
        assert load_pin(box.data) is None
        left_out = {TOURNAMENT_FILE, WITNESS_FILE, SEATS_FILE, PUBLIC_FILE}
        assert set(restored.left_out) == {f"data/{name}" for name in left_out}

    def test_the_signature_of_another_key_does_not_help(self, box: Box, tmp_path: Path) -> None:
        (tmp_path / "other").mkdir()
        other = Box(tmp_path / "other")
        saved = other.backup(tmp_path / "other.zip")
        assert not box.restore_foreign(saved).is_whole

    def test_a_changed_manifest_is_not_of_this_machine(self, box: Box, saved: Path) -> None:
        """Its own backup with other settings, and a manifest that fits them."""
        manifest = parse_manifest(zipfile.ZipFile(saved).read(MANIFEST_NAME).decode())
        assert manifest.is_signed_by(box.key)
        item = ArchivedFile(len(self.SENDS), hashlib.sha256(self.SENDS).hexdigest())
        changed = replace(manifest, items={**manifest.items, SETTINGS_NAME: item})
        contents = {MANIFEST_NAME: manifest_text(changed).encode(), SETTINGS_NAME: self.SENDS}
        other = rewritten(
            saved, saved.with_name("other.zip"), lambda name, told: contents.get(name, told)
        )
        assert not box.restore_foreign(other).is_whole
        assert box.config.read_bytes() == SETTINGS

    @pytest.mark.parametrize("signature", ["", "ab", "no hex", "ab" * 64])
    def test_any_signature_is_read(self, box: Box, signature: str) -> None:
        text = manifest_text(Manifest("dicebell", "now", {}, signature))
        assert not parse_manifest(text).is_signed_by(box.key)


def test_a_machine_without_a_usable_key_makes_backups_too(box: Box, tmp_path: Path) -> None:
    (box.data / PRIVATE_FILE).write_text("rubbish")
    saved = box.backup(tmp_path / "unsigned.zip")
    assert not box.restore_foreign(saved).is_whole


def test_the_password_in_the_data_folder_survives_a_restore(box: Box, tmp_path: Path) -> None:
    (box.data / "password").write_text("secret")
    (box.data / "password").chmod(0o600)
    box.config.write_text(f'[mqtt]\nuser = "table"\npassword_file = "{box.data}/password"\n')
    saved = box.backup(tmp_path / "with.zip")
    box.restore(saved)
    assert (box.data / "password").read_text() == "secret"
    assert (box.data / "password").stat().st_mode & 0o777 == 0o600


def test_a_link_in_place_of_a_secret_is_not_followed(box: Box, saved: Path, tmp_path: Path) -> None:
    """Root restores, and the table's account may write the folder."""
    (tmp_path / "shadow").write_text("of the system")
    (box.data / ACCESS_FILE).unlink()
    (box.data / ACCESS_FILE).symlink_to(tmp_path / "shadow")
    box.restore(saved)
    assert not (box.data / ACCESS_FILE).exists()


def test_a_running_table_is_backed_up_to_its_last_whole_line(box: Box, tmp_path: Path) -> None:
    journal, _ = Journal.open(box.data)
    whole = (box.data / JOURNAL_FILE).read_bytes()
    with open(box.data / JOURNAL_FILE, "ab") as half:
        half.write(b'{"at_ms":17')
    (box.data / "pictures" / "half.part").write_bytes(b"half")
    saved = box.backup(tmp_path / "running.zip")
    journal.close()
    with zipfile.ZipFile(saved) as archive:
        assert archive.read(f"data/{JOURNAL_FILE}") == whole
        assert not [name for name in archive.namelist() if name.endswith((".part", LOCK_FILE))]


def test_every_picture_that_a_copied_entry_names_is_there(box: Box, tmp_path: Path) -> None:
    """The journal is the first file of the archive: pictures that come later do no harm."""
    saved = box.backup(tmp_path / "order.zip")
    with zipfile.ZipFile(saved) as archive:
        assert archive.namelist()[0] == f"data/{JOURNAL_FILE}"


def test_pictures_can_stay_behind(box: Box, tmp_path: Path) -> None:
    saved = box.backup(tmp_path / "small.zip", with_pictures=False)
    with zipfile.ZipFile(saved) as archive:
        assert not [name for name in archive.namelist() if "pictures" in name]


def test_links_are_not_followed_and_pipes_not_waited_for(box: Box, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("not of this table")
    (box.data / "link").symlink_to(tmp_path / "secret")
    os.mkfifo(box.data / "pipe")
    saved = box.backup(tmp_path / "plain.zip")
    with zipfile.ZipFile(saved) as archive:
        assert not {"data/link", "data/pipe"} & set(archive.namelist())


def test_the_secrets_that_the_settings_name_are_in_no_backup(box: Box, tmp_path: Path) -> None:
    """The password for a broker, wherever its owner has put it; also if other keys are wrong."""
    for name in ("password", "table.crt", "table.pem", "mqtt.json", "ca.pem"):
        (box.data / name).write_text(name)
    box.config.write_text(
        f'[mqtt]\npassword_file = "{box.data}/password"\nkey_file = "{box.data}/table.pem"\n'
        f'cert_file = "{box.data}/../data/table.crt"\nca_file = "{box.data}/ca.pem"\nport = -1\n'
    )
    names = set(zipfile.ZipFile(box.backup(tmp_path / "saved.zip")).namelist())
    assert "data/ca.pem" in names
    assert names.isdisjoint({"data/password", "data/table.crt", "data/table.pem", "data/mqtt.json"})


def test_only_its_owner_may_read_a_backup(saved: Path) -> None:
    assert saved.stat().st_mode & 0o777 == 0o600


def test_a_file_that_is_there_is_not_written_over(box: Box, saved: Path) -> None:
    before = saved.read_bytes()
    with pytest.raises(InputError, match="the name of a new file"):
        box.backup(saved)
    assert saved.read_bytes() == before


def test_a_disk_that_refuses_is_told_and_keeps_no_half_backup(box: Box, tmp_path: Path) -> None:
    with no_file_larger_than(200), pytest.raises(InputError, match="expected room for the backup"):
        box.backup(tmp_path / "half.zip")
    assert [path.name for path in tmp_path.iterdir()] == ["box"]


def test_what_a_cut_of_power_left_of_a_backup_is_in_nobodys_way(box: Box, tmp_path: Path) -> None:
    (tmp_path / ".again.zip.part").write_bytes(b"half")
    box.backup(tmp_path / "again.zip")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["again.zip", "box"]


def test_without_a_data_folder_there_is_nothing_to_back_up(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected a data folder, found nothing"):
        make_backup(tmp_path / "no", None, tmp_path / "a.zip", now=NOW)
    assert list(tmp_path.iterdir()) == []


class TestRefused:
    """Whatever is refused leaves the table as it was."""

    @pytest.fixture(autouse=True)
    def _unchanged(self, box: Box, saved: Path) -> object:
        before = box.files()
        yield
        assert box.files() == before
        assert box.config.read_bytes() == SETTINGS
        names = {path.name for path in box.data.parent.iterdir()}
        assert names == {"data", "dicebell.toml"}

    def test_a_table_that_runs(self, box: Box, saved: Path) -> None:
        journal, _ = Journal.open(box.data)
        with pytest.raises(InputError, match="another running dicebell"):
            box.restore(saved)
        journal.close()

    def test_games_that_were_played_unless_forced(self, box: Box, saved: Path) -> None:
        with pytest.raises(InputError, match="--force"):
            box.restore(saved, is_forced=False)

    @pytest.mark.parametrize("share", [0.0, 0.3, 0.9, 0.99])
    def test_a_torn_archive(self, box: Box, saved: Path, share: float) -> None:
        whole = saved.read_bytes()
        saved.write_bytes(whole[: int(len(whole) * share)])
        with pytest.raises(InputError, match="a complete backup of dicebell"):
            box.restore(saved)

    def test_every_single_changed_byte_of_a_picture(self, box: Box, saved: Path) -> None:
        whole = saved.read_bytes()
        begin = whole.index(b"a picture of five dice")
        for place in range(begin, begin + len(b"a picture of five dice")):
            saved.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
            with pytest.raises(InputError, match="a complete backup of dicebell"):
                box.restore(saved)

    def test_a_disk_that_refuses(self, box: Box, saved: Path) -> None:
        with no_file_larger_than(100), pytest.raises(InputError, match="a disk that accepts"):
            box.restore(saved)

    def test_a_file_that_was_exchanged(self, box: Box, saved: Path, tmp_path: Path) -> None:
        other = rewritten(
            saved, tmp_path / "other.zip", lambda name, content: content.replace(b"today", b"later")
        )
        with pytest.raises(InputError, match=r"data/calibration\.json as the manifest says"):
            box.restore(other)

    def test_a_file_that_is_missing(self, box: Box, saved: Path, tmp_path: Path) -> None:
        other = rewritten(
            saved,
            tmp_path / "less.zip",
            lambda name, content: None if "calibration" in name else content,
        )
        with pytest.raises(InputError, match="exactly the files of its manifest"):
            box.restore(other)

    def test_a_file_that_the_manifest_does_not_name(self, box: Box, saved: Path) -> None:
        with zipfile.ZipFile(saved, "a") as archive:
            archive.writestr("data/more.txt", "more")
        with pytest.raises(InputError, match=r"found 'data/more\.txt'"):
            box.restore(saved)

    def test_another_zip(self, box: Box, tmp_path: Path) -> None:
        with zipfile.ZipFile(tmp_path / "holiday.zip", "w") as archive:
            archive.writestr("beach.jpg", "sand")
        with pytest.raises(InputError, match="found another zip"):
            box.restore(tmp_path / "holiday.zip")

    def test_no_file_at_all(self, box: Box, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="No such file"):
            box.restore(tmp_path / "no.zip")

    @pytest.mark.parametrize(
        "name",
        ["data/../../evil", "/etc/passwd", "data//etc/passwd", "data/a/..", "data/./a", "../evil",
         "data", "data/", "evil", "data/a\\b", "data/a\nb", "data/a\0b"],
    )  # fmt: skip
    def test_a_file_that_would_not_stay_in_its_folder(
        self, box: Box, tmp_path: Path, name: str
    ) -> None:
        item = ArchivedFile(4, hashlib.sha256(b"evil").hexdigest())
        text = manifest_text(Manifest("dicebell", "now", {name: item}))
        with zipfile.ZipFile(tmp_path / "evil.zip", "w") as archive:
            archive.writestr(name, "evil")
            archive.writestr(MANIFEST_NAME, text)
        with pytest.raises(InputError, match="files that stay in the data folder"):
            box.restore(tmp_path / "evil.zip")
        with pytest.raises(InputError):
            require_name(name)

    def test_a_file_that_says_to_be_smaller_than_it_is(self, box: Box, tmp_path: Path) -> None:
        item = ArchivedFile(1, hashlib.sha256(b"x" * 4096).hexdigest())
        with zipfile.ZipFile(tmp_path / "bomb.zip", "w") as archive:
            archive.writestr("data/bomb", "x" * 4096)
            archive.writestr(
                MANIFEST_NAME, manifest_text(Manifest("dicebell", "now", {"data/bomb": item}))
            )
        with pytest.raises(InputError, match="data/bomb as the manifest says"):
            box.restore(tmp_path / "bomb.zip")

    @pytest.mark.parametrize(
        "name",
        [ACCESS_FILE, LOGINS_FILE, PRIVATE_FILE, MEMORY_FILE, MARKER_FILE, LOCK_FILE,
         f"old/{PRIVATE_FILE}", ".hidden", ".git/config", "pictures/ab/half.part"],
    )  # fmt: skip
    def test_a_file_that_no_backup_holds(self, box: Box, tmp_path: Path, name: str) -> None:
        foreign = packed(tmp_path / "foreign.zip", {f"data/{name}": b"not of this box"})
        with pytest.raises(InputError, match="settings and calibration, found 'data/"):
            box.restore(foreign)

    @pytest.mark.parametrize("name", [MANIFEST_NAME, SETTINGS_NAME, f"data/{JOURNAL_FILE}"])
    def test_a_file_that_unpacks_to_a_thousand_times_its_size(
        self, box: Box, tmp_path: Path, name: str
    ) -> None:
        large = b" " * (2 * SPARE_BYTES)
        bomb = packed(tmp_path / "bomb.zip", {name: large})
        assert bomb.stat().st_size < len(large) // 500
        del large
        tracemalloc.start()
        with pytest.raises(InputError, match=r"at most( 200 times)?, found"):
            box.restore(bomb)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < SPARE_BYTES // 2

    def test_many_files_that_are_larger_than_their_archive(self, box: Box, tmp_path: Path) -> None:
        large = b" " * (SPARE_BYTES // 2)
        bomb = packed(tmp_path / "many.zip", {f"data/{number}": large for number in range(3)})
        with pytest.raises(InputError, match="at most 200 times, found all files"):
            box.restore(bomb)

    def test_a_line_without_an_end_and_a_line_too_long(self, box: Box, tmp_path: Path) -> None:
        random = os.urandom(SPARE_BYTES // 2).hex().encode()
        bomb = packed(tmp_path / "line.zip", {f"data/{JOURNAL_FILE}": random + b"\n"})
        del random
        tracemalloc.start()
        with pytest.raises(InputError, match="an unbroken journal"):
            box.restore(bomb)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < SPARE_BYTES

    @pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
    def test_a_file_that_is_packed_as_no_backup_packs(
        self, box: Box, tmp_path: Path, method: int
    ) -> None:
        for name in (MANIFEST_NAME, "data/a"):
            strange = packed(tmp_path / "strange.zip", {name: b"{}"}, method)
            with pytest.raises(InputError, match="a compression that no backup uses"):
                box.restore(strange)

    def test_a_pipe_that_has_no_end(self, box: Box, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe.zip")
        for source in (tmp_path / "pipe.zip", Path("/dev/zero")):
            with pytest.raises(InputError, match="Not a regular file"):
                box.restore(source)

    def test_more_than_the_disk_has_room_for(self, box: Box, tmp_path: Path) -> None:
        item = ArchivedFile(2**60, hashlib.sha256(b"").hexdigest())
        with zipfile.ZipFile(tmp_path / "large.zip", "w") as archive:
            archive.writestr("data/large", "")
            archive.writestr(
                MANIFEST_NAME, manifest_text(Manifest("dicebell", "now", {"data/large": item}))
            )
        with pytest.raises(InputError, match="MB free, found"):
            box.restore(tmp_path / "large.zip")

    def test_a_journal_that_is_broken_as_it_was_backed_up(self, box: Box, tmp_path: Path) -> None:
        whole = (box.data / JOURNAL_FILE).read_bytes()
        (box.data / JOURNAL_FILE).write_bytes(whole.replace(b"Ada", b"Eve"))
        saved = box.backup(tmp_path / "broken.zip")
        (box.data / JOURNAL_FILE).write_bytes(whole)
        with pytest.raises(InputError, match="an unbroken journal"):
            box.restore(saved)

    def test_settings_that_this_version_does_not_know(self, box: Box, tmp_path: Path) -> None:
        box.config.write_bytes(b"[moon]\nphase = 1\n")
        saved = box.backup(tmp_path / "later.zip")
        box.config.write_bytes(SETTINGS)
        with pytest.raises(InputError, match="moon"):
            box.restore(saved)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"dicebell_backup": 2}', '{"dicebell_backup": true}',
     '{"dicebell_backup": 1}', '{"dicebell_backup": 1, "files": []}',
     '{"dicebell_backup": 1, "files": {"data/a": {"size": -1, "sha256": ""}}}',
     '{"dicebell_backup": 1, "files": {"data/a": 1}}', "[" * 100_000],
)  # fmt: skip
def test_what_is_no_manifest_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=MANIFEST_NAME):
        parse_manifest(text)


def test_a_manifest_is_read_as_it_was_written() -> None:
    manifest = Manifest("dicebell 1", "2026", {"data/ü": ArchivedFile(3, "ab" * 32)})
    assert parse_manifest(manifest_text(manifest)) == manifest
    assert json.loads(manifest_text(manifest))["dicebell_backup"] == 1
