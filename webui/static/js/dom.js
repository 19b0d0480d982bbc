// SPDX-License-Identifier: MIT
// Small helpers to build and update the page. Text is always inserted as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

export const $ = (id) => document.getElementById(id);

/** Make an element; keys of `attributes`: `text`, `on<event>`, or an attribute's name. */
export function el(tag, attributes = {}, ...children) {
  return configure(document.createElement(tag), attributes, children);
}

/** Make an SVG element in the same way. */
export function svg(tag, attributes = {}, ...children) {
  return configure(document.createElementNS(SVG, tag), attributes, children);
}

function configure(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "text") node.textContent = value;
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

/** Set a text only if it changes, so that live regions are not read out twice. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Write a player's name; the grade of an opponent stands beside it as a small sign. */
export function setName(node, { name, heading, opponent }) {
  setText(node, heading || name);
  if (opponent) node.dataset.grade = opponent;
  else delete node.dataset.grade;
}

/** SVG elements have no `hidden` property, only the attribute. */
export function show(node, isShown) {
  node.toggleAttribute("hidden", !isShown);
}

/** Whether this screen, or the wish of its user, asks for less motion. */
export function movesLess() {
  return document.documentElement.dataset.motion === "less" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * Close a dialog whose keys belong to the page again, not to the button that opened it.
 * Chromium leaves the focus in a closed dialog until it draws the page, and a quick key goes there.
 */
export function closeDialog(dialog) {
  if (!dialog.open) return;
  dialog.close();
  document.activeElement?.blur();
}

/** Call what measures the page once the whole view is shown, so that the page is laid out once for all. */
export function measureLater(measure) {
  requestAnimationFrame(measure);
}

/** Keep exactly `items.length` children in `parent`, made once and updated in place. */
export function fill(parent, items, make, update) {
  while (parent.children.length > items.length) parent.lastElementChild.remove();
  items.forEach((item, index) => {
    if (!parent.children[index]) parent.append(make(index));
    update(parent.children[index], item, index);
  });
}

/** A number as it stands on a sheet: with a real minus. */
export function formatNumber(number) {
  return number < 0 ? `−${-number}` : `${number}`;
}

/** A difference: always with its sign. */
export function formatDifference(number) {
  return number > 0 ? `+${number}` : formatNumber(number);
}
