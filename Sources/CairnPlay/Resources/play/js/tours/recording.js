// The recording of a history in the editor of tours: chosen or made here, uploaded, heard and removed; it is saved with
// the stop (TRM-5).

import { client } from "../core/app.js";
import { make, write } from "../core/page.js";
import { t } from "../core/texts.js";
import { act, action } from "../components/button.js";
import { labelled } from "../components/form.js";
import { canRecord, recordButton } from "./microphone.js";

/** What the server takes as audio; the file's own bytes decide there. */
const ACCEPTED = "audio/mpeg,audio/ogg,audio/mp4,.mp3,.ogg,.opus,.m4a";

/**
 * A field for a recording. `audio()` is the asset at present, or empty.
 * @param {string} tour the tour that has the recording
 * @param {string} before the asset that is saved, or empty
 * @param {string} chosen what is there at first
 * @param {() => void} changed
 */
export function recordingField(tour, before, chosen, changed) {
  let audio = chosen;
  const state = make("span", { class: "quiet", role: "status" });
  const trouble = make("div", { class: "trouble" });
  const sound = make("div");
  const buttons = make("div", { class: "row" });

  const listen = async () => {
    const source = await client.assetURL(audio, "", audio === before ? tour : "");
    const player = make("audio", { controls: true, src: source, "aria-label": t("tour.recording") });
    sound.replaceChildren(player);
    player.focus();
    // A browser that does not play it by itself leaves that to the person.
    await player.play().catch(() => {});
  };
  const remove = () => {
    audio = "";
    show();
    write(state, t("tour.recording.removed"));
    file.focus();
    changed();
  };
  const show = () => {
    trouble.replaceChildren();
    sound.replaceChildren();
    buttons.replaceChildren(...(audio ? [
      action(t("run.listen"), listen, "", { place: trouble }),
      make("button", { type: "button", class: "quiet-danger", onclick: remove }, t("tour.recording.remove"))] : []));
  };
  const upload = async (/** @type {Uint8Array} */ bytes) => {
    audio = await client.upload(bytes, (/** @type {number} */ done) =>
      write(state, `${Math.round((100 * done) / Math.max(1, bytes.length))} %`));
    show();
    write(state, t("tour.recording.taken"));
    changed();
  };
  const take = (/** @type {Uint8Array} */ bytes) => act(file, () => upload(bytes).catch((refusal) => {
    write(state, "");
    throw refusal;
  }), { place: trouble });
  const file = make("input", { type: "file", accept: ACCEPTED, onchange: async () => {
    const [chosen] = file.files;
    if (!chosen) return;
    await take(new Uint8Array(await chosen.arrayBuffer()));
    file.value = "";
    file.focus();
  } });
  // What a file field says of itself is no typing into the form.
  file.addEventListener("input", (/** @type {Event} */ event) => event.stopPropagation());
  show();
  return {
    element: labelled(t("tour.recording"), file,
      { isOptional: true, hint: t("tour.recording.about"), kind: "recording" },
      canRecord() && recordButton(state, take), state, buttons, sound, trouble),
    audio: () => audio,
  };
}
