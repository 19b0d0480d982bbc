// SPDX-License-Identifier: MIT
// The requests of the service page.

import { mountLoaded } from "../loaded.js";
import { post } from "../post.js";
import { toast } from "../toast.js";

const FAILED_MS = 1500;

/**
 * Poll while this part of the page is open, each time only after the last reply. `clear()` removes what is shown once
 * another part is opened.
 */
export function pollWhileOpen(tab, what, pause, show, clear) {
  let timer = 0;
  const newest = mountLoaded({ load: () => read(`/service/${what}`), show, clear });
  const follow = () => newest.want(document.body.dataset.tab === tab ? tab : null);
  async function ask() {
    clearTimeout(timer);
    const isDone = newest.key === null || document.hidden || await newest.again();
    clearTimeout(timer);
    timer = setTimeout(ask, isDone ? pause : FAILED_MS);
  }
  addEventListener("hashchange", follow);
  follow();
  timer = setTimeout(ask, pause);
  return ask;
}

async function read(address) {
  try {
    const answer = await fetch(address, { cache: "no-store" });
    if (answer.status === 403) location.assign("/login?to=/service");
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

/** Returns the reply and shows its message. */
export async function runAction(body, complain = toast) {
  const reply = await post("/service", body, complain);
  if (reply.said) toast(reply.said);
  return reply;
}

export const trace = () => post("/service/trace", {}, toast);
export const changePin = (body) => post("/login/new-pin", body, toast);
