// SPDX-License-Identifier: MIT
// Every setting with its allowed values; a change is written when its field loses the focus.

import { $, el, fill, setText } from "../dom.js";
import { gettext } from "../messages.js";
import { pollWhileOpen, runAction } from "./requests.js";

const AGAIN_MS = 2000;

export function mountSettings() {
  pollWhileOpen("settings", "settings", AGAIN_MS, ({ file, problem, sections }) => {
    const waiting = sections.some((section) => section.settings.some((setting) => setting.waits));
    const written = gettext("Changes are written to {file}; its comments stay.", { file });
    const later = gettext("Marked values apply after “Restart the table”, under Machine.");
    setText($("settings-file"), problem || (waiting ? `${written} ${later}` : written));
    fill($("settings"), sections, makeSection, (node, section) => showSection(node, section, !problem));
  });
}

function makeSection() {
  return el("article", {}, el("h2"), el("p"), el("div"));
}

function showSection(node, { label, about, settings }, mayChange) {
  setText(node.children[0], label);
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
  const { name, label, about, unit, fixed, live } = setting;
  const note = fixed ? gettext("Changed in the file only.") : live ? gettext("Applies at once.") : "";
  const field = makeField(setting);
  field.dataset.name = name;
  field.title = name;
  const node = el("div", { class: "setting" },
    el("label", { "data-later": gettext("next start") }, el("b", { text: label }), el("span", {}, field, unit ? el("span", { class: "unit", text: unit }) : null)),
    el("p", { text: [about, describeValues(setting), note].filter(Boolean).join(" ") }),
    el("p", { class: "now" }),
    el("p", { class: "refused", role: "alert" }));
  field.addEventListener("change", () => change(node, field, setting));
  return node;
}

/** The allowed values and the default, as far as the field itself does not show them. */
function describeValues({ allowed, default_text: usual }) {
  if (!usual) return gettext("Default: empty.");
  if (!allowed) return gettext("Default: {usual}.", { usual });
  return gettext("Allowed: {allowed}. Default: {usual}.", { allowed, usual });
}

function makeField({ kind, choices, choice_labels: labels }) {
  if (kind === "choice") return el("select", {}, ...choices.map((choice, index) => el("option", { value: choice, text: labels[index] })));
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
