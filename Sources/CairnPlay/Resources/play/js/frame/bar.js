// The bar: a line above every place, for what goes on wherever the person is, such as a tour that they walk.

import { given } from "../core/extensions.js";
import { at, fill } from "../core/page.js";

/** The places begin where the bar ends, so that nothing is behind it. */
const follower = new ResizeObserver(() => {
  const bar = at("bar");
  document.documentElement.style.setProperty("--bar", `${bar.hidden ? 0 : bar.offsetHeight}px`);
});

/** How often it was asked for: what was asked for last counts. */
let asked = 0;

/** Shows what features have to say everywhere; nothing is there while none has. */
export async function showBar() {
  asked += 1;
  const mine = asked;
  const said = (await Promise.all(given("bar").map((make) => make()))).filter((one) => one);
  if (mine !== asked) return;
  const bar = at("bar");
  bar.hidden = said.length === 0;
  fill(bar, ...said);
  follower.observe(bar);
}
