// A tour as a GeoJSON file (docs/tours-geojson.md): taken into the draft, and given out.

import { client } from "../core/app.js";
import { make } from "../core/page.js";
import { t } from "../core/texts.js";
import { act, action } from "../components/button.js";
import { labelled } from "../components/form.js";

/**
 * The text of a tour's draft, put together from its pieces.
 * @param {string} tour
 * @returns {Promise<string>}
 */
async function exported(tour) {
  let text = "";
  for (let page = 0, pages = 1; page < pages; page += 1) {
    const piece = await client.request("exportTour", { tour, draft: true, page });
    pages = piece.pages ?? 1;
    text += piece.geojson ?? "";
  }
  return text;
}

/**
 * Buttons for a file of the draft. The file is uploaded, because it may be larger than a message.
 * @param {string} tour
 * @param {(asset: string) => Promise<any>} take makes the draft what the uploaded file says
 */
export function tourFile(tour, take) {
  const input = make("input", {
    type: "file", id: "tour-file", accept: ".geojson,.json,application/geo+json", onchange: async () => {
      const [file] = input.files;
      if (file) await act(input, () => taken(file), { place: answer });
      input.value = "";
    },
  });
  const taken = async (/** @type {File} */ file) => {
    await take(await client.upload(new Uint8Array(await file.arrayBuffer())));
    return t("tour.file.taken");
  };
  const answer = make("div"), link = make("p");
  return make("div", { class: "stack" },
    labelled(t("tour.file.import"), input, { hint: t("tour.file.about") }, answer),
    action(t("tour.file.export"), async () => {
      const text = await exported(tour);
      const href = `data:application/geo+json;charset=utf-8,${encodeURIComponent(text)}`;
      link.replaceChildren(make("a", { class: "button", href, download: `tour-${tour}.geojson` },
        t("export.download")));
    }), link);
}
