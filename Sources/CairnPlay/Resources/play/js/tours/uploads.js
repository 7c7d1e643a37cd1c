// The picture of a tour in the editor: chosen, uploaded, seen and removed. It is a part of the facts.

import { client } from "../core/app.js";
import { make, write } from "../core/page.js";
import { t } from "../core/texts.js";
import { act } from "../components/button.js";
import { labelled } from "../components/form.js";

/**
 * A field for the picture. `asset()` is what is chosen at present, or empty.
 * @param {string} tour the tour that has the picture
 * @param {string} saved what the server has
 * @param {string} chosen what is shown at first
 * @param {() => void} changed
 */
export function pictureField(tour, saved, chosen, changed) {
  let asset = chosen;
  const state = make("span", { class: "quiet", role: "status" });
  const trouble = make("div", { class: "trouble" });
  const seen = make("div");
  const show = () => {
    trouble.replaceChildren();
    seen.replaceChildren();
    if (!asset) return;
    const image = make("img", { class: "tour-picture small", alt: "" });
    client.assetURL(asset, "", asset === saved ? tour : "").then((/** @type {string} */ url) => { image.src = url; },
      () => image.remove());
    seen.append(image, make("button", { type: "button", class: "quiet-danger", onclick: () => {
      asset = "";
      show();
      write(state, t("tour.picture.removed"));
      file.focus();
      changed();
    } }, t("tour.picture.remove")));
  };
  const file = make("input", { type: "file", accept: "image/png,image/jpeg", onchange: async () => {
    const [one] = file.files;
    if (!one) return;
    await act(file, async () => {
      asset = await client.upload(new Uint8Array(await one.arrayBuffer()));
      show();
      write(state, t("tour.picture.taken"));
      changed();
    }, { place: trouble });
    file.value = "";
    file.focus();
  } });
  // What a file field says of itself is no typing into the form.
  file.addEventListener("input", (/** @type {Event} */ event) => event.stopPropagation());
  show();
  return { element: labelled(t("tour.picture"), file, { isOptional: true, hint: t("tour.picture.about") }, state, seen,
    trouble), asset: () => asset };
}
