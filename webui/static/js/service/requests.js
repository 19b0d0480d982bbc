// SPDX-License-Identifier: MIT
// The requests of the service page.

import { post } from "../post.js";
import { toast } from "../toast.js";

const FAILED_MS = 1500;

/** Poll while this part of the page is open, each time only after the last reply. */
export function pollWhileOpen(tab, what, pause, show) {
  let timer = 0;
  const isOpen = () => document.body.dataset.tab === tab && !document.hidden;
  const showIfOpen = (reply) => isOpen() && show(reply);
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

/** Returns the reply and shows its message. */
export async function runAction(body, complain = toast) {
  const reply = await post("/service", body, complain);
  if (reply.said) toast(reply.said);
  return reply;
}

export const trace = () => post("/service/trace", {}, toast);
export const changePin = (body) => post("/login/new-pin", body, toast);
