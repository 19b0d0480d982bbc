// SPDX-License-Identifier: MIT
// The texts of the scripts in the language of the page, which comes with its messages.

import { $ } from "./dom.js";

const language = document.documentElement.lang;
const entries = JSON.parse($("messages").content);
const rule = new Intl.PluralRules(language);
/** The forms of a gettext entry stand in this order. */
const ORDER = ["zero", "one", "two", "few", "many", "other"];
const forms = ORDER.filter((name) => rule.resolvedOptions().pluralCategories.includes(name));

/** The text of a language for an English one, its `{name}`s replaced by values. */
export function gettext(template, values = {}) {
  return fillIn(entries[template]?.[0] ?? template, values);
}

/** The text for a count, which its forms know as `{count}`. */
export function ngettext(one, many, count, values = {}) {
  const english = count === 1 ? one : many;
  return fillIn(entries[one]?.[forms.indexOf(rule.select(count))] ?? english, { count, ...values });
}

/** A number with this many decimals, as the language of the page writes it. */
export function formatDecimal(number, decimals) {
  return number.toLocaleString(language, { minimumFractionDigits: decimals, maximumFractionDigits: decimals, useGrouping: false });
}

const RIGHT_TO_LEFT = /^[^\u2068]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

function fillIn(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => isolate(values[name] ?? whole));
}

/** A value that does not turn the words around it; texts of the server are isolated already. */
export function isolate(value) {
  return RIGHT_TO_LEFT.test(value) ? `\u2068${value}\u2069` : value;
}
