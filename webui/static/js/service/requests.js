// SPDX-License-Identifier: MIT
// What goes to the table and what comes back, for whichever part of the page is open.

import { post } from "../post.js";
import { toast } from "../toast.js";

const FAILED_MS = 1500;

/** Ask for ever while this part of the page is open, each time only after the last answer. */
export function pollWhileOpen(tab, what, pause, show) {
  let timer = 0;
  const isOpen = () => document.body.dataset.tab === tab && !document.hidden;
  const showIfOpen = (told) => isOpen() && show(told);
  async function ask() {
    clearTimeout(timer);
    let next = pause;
    if (isOpen()) {
      try {
        const answer = await fetch(`/service/${what}`, { cache: "no-store" });
        if (answer.status === 403) location.assign("/login?to=/service");
        else if (answer.ok) showIfOpen(await answer.json());
        else next = FAILED_MS;
      } catch {
        next = FAILED_MS;
      }
    }
    clearTimeout(timer);
    timer = setTimeout(ask, next);
  }
  addEventListener("hashchange", () => setTimeout(ask));
  ask();
  return ask;
}

/** Returns what the table answers; says what there is to be said. */
export async function runAction(body, complain = toast) {
  const told = await post("/service", body, complain);
  if (told.said) toast(told.said);
  return told;
}

export const trace = () => post("/service/trace", {}, toast);
export const changePin = (body) => post("/login/new-pin", body, toast);
