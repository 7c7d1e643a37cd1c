// Content that comes from the server: asked for once, and drawn again when it changes.

import { client, isCutOff, on } from "../core/app.js";
import { at, make, toHeading, write } from "../core/page.js";
import { t } from "../core/texts.js";
import { refused } from "./message.js";
import { arrive } from "./showpage.js";

/**
 * Content that is asked for: a word while it comes, also that it needs the network; a refusal if it does not come.
 * @param {() => Promise<Node>} ask
 */
export function arriving(ask) {
  const word = make("p", { class: "quiet", role: "status" }), ended = new AbortController();
  const box = make("div", { class: "stack", "aria-busy": "true" }, word);
  const say = () => write(word, t(isCutOff() ? "offline.needs" : "loading"));
  on("state", say, ended.signal);
  say();
  ask().then((content) => {
    // Who has come here to read it is at the heading of the place until now.
    const isAwaited = document.activeElement === at("heading") && at("page").contains(box);
    arrive(box, () => box.replaceChildren(content));
    if (isAwaited && document.activeElement === at("heading")) toHeading();
  }, (refusal) => arrive(box, () => box.replaceChildren(refused(refusal))))
    .finally(() => {
      ended.abort();
      box.removeAttribute("aria-busy");
    });
  return box;
}

/**
 * Draws a part of the page again at events of the client, for as long as it is there and nobody types in it, nor has
 * typed what is not sent; also when something is done that was asked for at a place which the person has left.
 * @param {string[]} names
 * @param {HTMLElement} part
 * @param {() => Promise<any>} draw
 */
export function follow(names, part, draw) {
  let wasThere = false;
  const ended = new AbortController();
  const again = () => {
    wasThere ||= part.isConnected;
    if (wasThere && !part.isConnected) ended.abort();
    else if (!part.querySelector("form :focus, form[data-typed]")) draw().catch(() => {});
  };
  on("late", again, ended.signal);
  // Also when a change of an earlier page load is made, which nothing here waits for.
  for (const name of [...names, "answered"]) ended.signal.addEventListener("abort", client.on(name, again));
}
