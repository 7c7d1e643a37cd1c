// The banner: a line above every place, for what goes on wherever the person is, such as a tour that they walk.

import { given } from "../core/extensions.js";
import { at, fill } from "../core/page.js";

/** The places begin where the banner ends, so that nothing is behind it. */
const follower = new ResizeObserver(() => {
  const banner = at("banner");
  document.documentElement.style.setProperty("--banner", `${banner.hidden ? 0 : banner.offsetHeight}px`);
});

/** Shows what features have to say everywhere; nothing is there while none has. */
export async function showBanner() {
  const said = (await Promise.all(given("banner").map((make) => make()))).filter((one) => one);
  const banner = at("banner");
  banner.hidden = said.length === 0;
  fill(banner, ...said);
  follower.observe(banner);
}
