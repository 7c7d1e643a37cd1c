// The bar: a line above every place, for what goes on wherever the person is, such as a tour that they walk.

import { given } from "../core/extensions.js";
import { at, fill } from "../core/page.js";

/** The places begin where the bar ends, so that nothing is behind it. */
const follower = new ResizeObserver(() => {
  const bar = at("bar");
  document.documentElement.style.setProperty("--bar", `${bar.hidden ? 0 : bar.offsetHeight}px`);
});

/** Shows what features have to say everywhere; nothing is there while none has. */
export async function showBar() {
  const said = (await Promise.all(given("bar").map((make) => make()))).filter((one) => one);
  const bar = at("bar");
  bar.hidden = said.length === 0;
  fill(bar, ...said);
  follower.observe(bar);
}
