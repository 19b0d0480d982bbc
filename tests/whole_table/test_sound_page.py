# SPDX-License-Identifier: MIT
"""The sounds of a page: none distorts, each plays once, and a muted page is silent."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from controller.base.speech import find_speech_program
from controller.table.effects import SoundCue
from controller.table.view.types import SoundView
from tests.support.page_table import PageTable
from tests.support.table import rolled_table
from tests.whole_table.conftest import OpenPage

RENDER = """async (cue) => {
  const { lengthOf, playCue } = await import("/static/js/sound/tones.js");
  const rate = 22050, length_s = lengthOf(cue);
  const context = new OfflineAudioContext(1, Math.ceil((length_s + 0.1) * rate), rate);
  playCue(cue, context.destination);
  const samples = (await context.startRendering()).getChannelData(0);
  const peak = (part) => part.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  return [length_s, peak(samples), peak(samples.slice(-rate * 0.05))];
}"""

LISTEN = """
window.loudest = 0;
const connect = AudioNode.prototype.connect;
AudioNode.prototype.connect = function (node, ...more) {
  if (node === this.context.destination) {
    const listener = new AnalyserNode(this.context);
    const samples = new Float32Array(listener.fftSize);
    connect.call(this, listener);
    setInterval(() => {
      listener.getFloatTimeDomainData(samples);
      window.loudest = Math.max(window.loudest, ...samples.map(Math.abs));
    }, 10);
  }
  return connect.call(this, node, ...more);
};
"""
"""Measures what goes to the loudspeaker."""

WAITING = re.compile("waiting")
"""What the mute button has as long as the browser plays no sounds."""
LOUD = "() => window.loudest > 0.01"


@pytest.mark.browser
def test_every_sound_is_heard_undistorted_and_ends(open_page: OpenPage) -> None:
    page = open_page(PageTable(rolled_table("13446", "Ada", "Ben")))
    for cue in SoundCue:
        length_s, peak, rest = page.evaluate(RENDER, cue.value)
        assert 0.1 < peak < 0.95, cue
        assert 0.05 <= length_s <= 4, cue
        assert rest == 0, cue


@pytest.mark.browser
def test_a_sound_plays_once_and_never_on_a_muted_page(open_page: OpenPage) -> None:
    table = PageTable(rolled_table("13446", "Ada", "Ben"))
    table.show(sound=make_sound(4))
    page = open_page(table)
    page.add_init_script(LISTEN)
    page.reload()
    expect(page.locator("#headline")).not_to_be_empty()
    page.keyboard.press("m")
    page.reload()
    expect(page.locator("#mute")).to_have_attribute("aria-pressed", "true")
    page.locator("#headline").click()
    show_and_wait(page, table, make_sound(5))
    page.locator("#mute").click()
    expect(page.locator("#mute")).not_to_have_class(WAITING)
    show_and_wait(page, table, make_sound(6, percent=0))
    assert page.evaluate("() => window.loudest") == 0, "muted here, and silent by the settings"
    table.show(sound=make_sound(7))
    page.wait_for_function(LOUD)


@pytest.mark.browser
@pytest.mark.skipif(not find_speech_program(), reason="no espeak-ng: make installs it")
def test_a_page_without_a_voice_calls_with_the_tables(open_page: OpenPage) -> None:
    table = PageTable(rolled_table("13446", "Ada", "Ben"))
    page = open_page(table)
    page.add_init_script(LISTEN)
    page.reload()
    wait_for_view(page, table)
    page.locator("#headline").click()
    # The browser takes its time to play; a sound that comes before is not made up for.
    expect(page.locator("#mute")).not_to_have_class(WAITING)
    with page.expect_response("**/spoken.wav?number=1") as answer:
        table.show(sound=make_sound(1, cue="", spoken="1, 3, 4, 4, 6"))
    assert answer.value.headers["content-type"] == "audio/wav"
    page.wait_for_function(LOUD)
    assert page.request.get(f"{page.url}spoken.wav?number=0").status == 404


def make_sound(
    number: int, *, percent: int = 100, cue: str = "bell", spoken: str = ""
) -> SoundView:
    return {"number": number, "cue": cue, "percent": percent, "spoken": spoken}


def show_and_wait(page: Page, table: PageTable, sound: SoundView) -> None:
    table.show(sound=sound)
    wait_for_view(page, table)


def wait_for_view(page: Page, table: PageTable) -> None:
    expect(page.locator("body")).to_have_attribute("data-version", str(table.snapshot()["version"]))
