// The picture of a tour, with its words for those who do not see it (ACS-2).

import { client } from "../core/app.js";
import { make } from "../core/page.js";
import { words } from "./content.js";

/**
 * The picture of a tour, fetched when it is asked for; where it does not arrive nothing is in its place.
 * @param {any} tour
 */
export function picture(tour) {
  const image = make("img", { class: "tour-picture", alt: words(tour.pictureAlternative), decoding: "async" });
  client.assetURL(tour.picture, "", tour.id).then((/** @type {string} */ url) => { image.src = url; },
    () => image.remove());
  return image;
}
