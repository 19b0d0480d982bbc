// SPDX-License-Identifier: MIT
// Every setting with its allowed values; a change is written when its field loses the focus.

import { $, el, fill, setText } from "../dom.js";
import { pollWhileOpen, runAction } from "./requests.js";

const AGAIN_MS = 2000;

export function mountSettings() {
  pollWhileOpen("settings", "settings", AGAIN_MS, ({ file, problem, sections }) => {
    const waiting = sections.some((section) => section.settings.some((setting) => setting.waits));
    const later = waiting ? " Marked values apply from the next start of the table: Machine, Restart the table." : "";
    setText($("settings-file"), problem || `Changes are written to ${file}; its comments stay.${later}`);
    fill($("settings"), sections, makeSection, (node, section) => showSection(node, section, !problem));
  });
}

function makeSection() {
  return el("article", {}, el("h2"), el("p"), el("div"));
}

function showSection(node, { name, about, settings }, mayChange) {
  setText(node.children[0], `[${name}]`);
  setText(node.children[1], about);
  showSettings(node.children[2], settings, mayChange);
}

/** A line for each setting; a focused field keeps its text. */
export function showSettings(parent, settings, mayChange) {
  fill(parent, settings, (index) => makeSetting(settings[index]), (node, setting) => {
    const field = node.querySelector("input, select");
    node.classList.toggle("waits", setting.waits);
    field.disabled = !mayChange || setting.fixed;
    if (document.activeElement === field || node.classList.contains("sent")) return;
    field.dataset.value = setting.value;
    if (setting.kind === "flag") field.checked = setting.value === "true";
    else field.value = setting.value;
  });
}

function makeSetting(setting) {
  const { name, key, about, allowed, default: usual, fixed, live } = setting;
  const note = fixed ? " Changed in the file only." : live ? " Applies at once." : "";
  const field = makeField(setting);
  field.dataset.name = name;
  field.setAttribute("aria-label", name);
  const node = el("div", { class: "setting" },
    el("label", {}, el("b", { text: key }), field),
    el("p", { text: `${about}: ${allowed}; ${usual} unless set.${note}` }),
    el("p", { class: "now" }),
    el("p", { class: "refused", role: "alert" }));
  field.addEventListener("change", () => change(node, field, setting));
  return node;
}

function makeField({ kind, choices }) {
  if (kind === "choice") return el("select", {}, ...choices.map((choice) => el("option", { value: choice, text: choice })));
  if (kind === "flag") return el("input", { type: "checkbox" });
  return el("input", kind === "number" ? { type: "number", step: "any", inputmode: "decimal" } : { type: "text", spellcheck: "false" });
}

async function change(node, field, setting) {
  node.classList.add("sent");
  const refused = (why) => setText(node.querySelector(".refused"), why);
  refused("");
  await runAction({ do: "set", name: setting.name, value: valueOf(field, setting) }, refused);
  node.classList.remove("sent");
}

/** The value for TOML; a malformed number is sent as text, to be refused with a reason. */
function valueOf(field, { kind, default: usual }) {
  if (kind === "flag") return field.checked;
  const isNumber = kind === "number" || (kind === "choice" && !usual.startsWith('"'));
  return isNumber && field.value !== "" && Number.isFinite(Number(field.value)) ? Number(field.value) : field.value;
}
