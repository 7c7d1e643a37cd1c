// The page of a place that is not on the stage.

import { at, toHeading } from "../core/page.js";

/** The address of what is shown. */
let address = "";

/**
 * Shows a page in place of the one before. If that one had the focus, the field of the same name (`data-key`) has it
 * now, else the heading. A page that is drawn anew at its address, such as in another language, stays where it was
 * scrolled to, and the field with the focus where it was on the screen; another page begins at its top.
 * @param {Node} content
 */
export function showPage(content) {
  const page = at("page"), { scrollTop } = page;
  const held = page.contains(document.activeElement) && document.activeElement;
  const isAgain = address === location.hash && page.firstElementChild !== null;
  const key = held instanceof HTMLElement && held.dataset.key, top = held ? held.getBoundingClientRect().top : 0;
  address = location.hash;
  page.replaceChildren(content);
  page.scrollTop = isAgain ? scrollTop : 0;
  const again = key && page.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (again) {
    again.focus({ preventScroll: isAgain });
    if (isAgain) page.scrollTop += again.getBoundingClientRect().top - top;
  } else if (held) toHeading();
}
