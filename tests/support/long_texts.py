# SPDX-License-Identifier: MIT
"""
A language in which every text is 40 % longer, and a look for texts that are cut off.

Each text is between two characters that nobody sees. A text of a page without them has not
been translated.
"""

from __future__ import annotations

import math
import re

from playwright.sync_api import Page

from controller.base.languages.catalogue import Catalogue
from controller.base.languages.codes import ENGLISH
from tests.message_catalogues import extract_messages

LONGER = 0.4
OPENING, CLOSING = "\u2063", "\u2064"

_PROSE = re.compile(r"(\{\w+\}|%\(\w+\)s)|([^\W\d_]*[aeiou][^\W\d_]*)", re.IGNORECASE)
_VOWELS = re.compile("[aeiou]", re.IGNORECASE)


def lengthen(text: str) -> str:
    """Return a text with longer words, as another language has them; `{values}` stay."""
    owed = 0.0

    def longer(found: re.Match[str]) -> str:
        nonlocal owed
        word = found[0]
        if found[1] or word.isupper():
            return word
        owed += len(word) * LONGER
        more, owed = math.floor(owed), owed % 1
        return _VOWELS.sub(lambda vowel: vowel[0] + vowel[0].lower() * more, word, count=1)

    return _PROSE.sub(longer, text)


def make_long_catalogue() -> Catalogue:
    """Return what passes for English and has every message of the code in it."""
    entries: dict[str, tuple[str, ...]] = {}
    scripts = set()
    for entry in extract_messages():
        forms = entry.id if isinstance(entry.id, tuple | list) else (entry.id,)
        entries[forms[0]] = tuple(OPENING + lengthen(form) + CLOSING for form in forms)
        if any(path.endswith(".js") for path, _ in entry.locations):
            scripts.add(forms[0])
    return Catalogue(ENGLISH, entries, script_templates=frozenset(scripts))


_FIND_CUT_TEXTS = r"""() => {
  const found = new Set(), texts = [];
  const { scrollHeight } = document.scrollingElement;
  const tall = Math.max(scrollHeight, innerHeight) - scrollY;
  const name = (element) => {
    const path = [];
    for (let up = element; up && path.length < 3; up = up.parentElement) {
      path.unshift(up.id ? `#${up.id}` : [up.localName, ...up.classList].join("."));
      if (up.id) break;
    }
    return path.join(" ");
  };
  const isShown = { opacityProperty: true, visibilityProperty: true };
  const BOXES = "button, a.button, dialog, .card, .plate, label, [role=button]";

  const findBrokenWords = (node) => {
    const range = document.createRange();
    for (const word of node.textContent.matchAll(/\p{L}+/gu)) {
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const tops = [...range.getClientRects()].map((rect) => rect.top);
      if (Math.max(...tops) - Math.min(...tops) > 4) {
        found.add(`${word[0]} of ${name(node.parentElement)} is broken`);
      }
    }
  };

  /** Whether a box of text can be seen whole, or by scrolling; null if it is meant to be hidden. */
  const findCut = (element, box) => {
    let scrolls = false;
    for (let up = element; up && up !== document.body; up = up.parentElement) {
      const { display, overflowX, overflowY, position } = getComputedStyle(up);
      if (display === "inline") continue;
      const outer = up.getBoundingClientRect();
      if (outer.width <= 1 || outer.height <= 1) return null;
      const isBeyond = [
        [box.left < outer.left - 1.5 || box.right > outer.right + 1.5, overflowX],
        [box.top < outer.top - 1.5 || box.bottom > outer.bottom + 1.5, overflowY],
      ].some(([beyond, flow]) => beyond && (up.matches(BOXES) || /hidden|clip/.test(flow)));
      if (isBeyond && !scrolls) return `is cut off by ${name(up)}`;
      if (/auto|scroll/.test(overflowX + overflowY)) scrolls = true;
      if (position === "fixed") return "";
    }
    const isOutside = box.left < -1 || box.right > innerWidth + 1 || box.top < -1 - scrollY
      || box.bottom > tall + 1;
    return isOutside && !scrolls ? `of ${name(element)} is outside of the screen` : "";
  };

  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const element = walk.currentNode.parentElement, text = walk.currentNode.textContent.trim();
    if (!text || !element.checkVisibility(isShown)) continue;
    if (element.closest("svg, script, style, template")) continue;
    findBrokenWords(walk.currentNode);
    const range = document.createRange();
    range.selectNodeContents(walk.currentNode);
    for (const { left, right, top, bottom, width, height } of range.getClientRects()) {
      if (!width || !height) continue;
      // A line is higher than its letters.
      const box = { left, right, top: top + height / 4, bottom: bottom - height / 4 };
      const cut = findCut(element, box);
      if (cut) found.add(`${text} ${cut}`);
      const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      if (cut === "" && at && (element.contains(at) || at.contains(element))) {
        texts.push({ text, element, box });
      }
    }
  }
  for (const [index, { text, element, box }] of texts.entries()) {
    for (const other of texts.slice(index + 1)) {
      if (element.contains(other.element) || other.element.contains(element)) continue;
      const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
      const down = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
      if (across > 2 && down > 1) {
        found.add(`${text} of ${name(element)} is upon ${other.text} of ${name(other.element)}`);
      }
    }
  }
  return [...found];
}"""


def find_cut_texts(page: Page) -> list[str]:
    """Return what is wrong with each text that is cut off, outside or upon another one."""
    found: list[str] = page.evaluate(_FIND_CUT_TEXTS)
    return found


_FIND_UNTRANSLATED = r"""([opening, closing, known]) => {
  const found = new Set();
  const outside = (text) => {
    let depth = 0;
    return [...text].filter((sign) => {
      if (sign === opening) depth += 1;
      if (sign === closing) depth -= 1;
      return depth === 0 && sign !== closing;
    }).join("").replace(/\S+:\d+\/\w*/g, "");
  };
  const isKnown = (text) => known.some((one) => text.replace(/^\P{L}+/u, "").startsWith(one));
  const check = (text, where) => {
    const rest = outside(text);
    if (/\p{L}{2,}/u.test(rest) && !isKnown(rest)) found.add(`${text.trim()} in ${where}`);
  };
  for (const element of document.body.querySelectorAll("*")) {
    if (element.closest("script, style, template, code, #log, .unit")) continue;
    const where = element.id || element.className || element.parentElement.id || element.localName;
    for (const name of ["aria-label", "alt", "placeholder", "title"]) {
      const text = element.getAttribute(name) ?? "";
      // The key of a setting is its hint.
      if (!/^\w+\.\w+$/.test(text)) check(text, `${name} of ${where}`);
    }
    for (const side of ["::before", "::after"]) {
      const { content } = getComputedStyle(element, side);
      if (content.startsWith('"')) check(content, side + where);
    }
    for (const node of element.childNodes) if (node instanceof Text) check(node.textContent, where);
  }
  return [...found];
}"""


def find_untranslated(page: Page, *known: str) -> list[str]:
    """Return a page's texts that are in no catalogue; not addresses, nor what begins as known."""
    found: list[str] = page.evaluate(_FIND_UNTRANSLATED, [OPENING, CLOSING, known])
    return [f"{text} is not translated" for text in found]
