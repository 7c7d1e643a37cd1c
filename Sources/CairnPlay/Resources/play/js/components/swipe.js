// Swiping a line aside with a finger. What that does has a button, too: swiping is for those who can and like to.

import { act } from "./button.js";

/** Pixels from which on a finger swipes, and does not tap or scroll. */
const BEGINS = 10;
/** The part of a line's width after which it is let go. */
const ENOUGH = 0.35;

/**
 * Lets a line be swiped to either side.
 * @param {HTMLElement} line
 * @param {() => Promise<any>} run what letting go of it does; the line comes back after it
 */
export function letSwipe(line, run) {
  /** @type {{x: number, y: number, id: number, isSwipe: boolean} | null} */
  let finger = null;
  line.classList.add("swiped");
  const put = (/** @type {number} */ x) => {
    line.style.translate = x === 0 ? "" : `${x}px`;
    line.classList.toggle("far-aside", Math.abs(x) > line.offsetWidth * ENOUGH);
  };
  const end = () => {
    finger = null;
    put(0);
  };
  line.addEventListener("pointerdown", ({ pointerType, pointerId: id, clientX: x, clientY: y }) => {
    if (pointerType !== "mouse" && !finger) finger = { x, y, id, isSwipe: false };
  });
  line.addEventListener("pointermove", ({ pointerId, clientX, clientY }) => {
    if (finger?.id !== pointerId) return;
    const x = clientX - finger.x;
    if (!finger.isSwipe) {
      if (Math.abs(x) < BEGINS || Math.abs(x) < Math.abs(clientY - finger.y)) return;
      finger.isSwipe = true;
      line.setPointerCapture(pointerId);
    }
    put(x);
  });
  line.addEventListener("pointerup", ({ pointerId, clientX }) => {
    if (finger?.id !== pointerId) return;
    const { isSwipe, x } = finger;
    if (!isSwipe || Math.abs(clientX - x) < line.offsetWidth * ENOUGH) {
      end();
      return;
    }
    finger = null;
    act(/** @type {HTMLElement} */ (line.firstElementChild), run).finally(end);
  });
  line.addEventListener("pointercancel", end);
  // A finger that swiped has not tapped.
  line.addEventListener("click", (event) => {
    if (line.style.translate === "") return;
    event.stopPropagation();
    event.preventDefault();
  }, { capture: true });
}
