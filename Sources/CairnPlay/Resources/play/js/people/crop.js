// Cropping of a picture before it is uploaded (PRF-3): a square of it, chosen by three sliders. What leaves the device
// is that square alone, drawn anew: no place or camera that the file may name goes with it.

import { make } from "../core/page.js";
import { t } from "../core/texts.js";
import { ask } from "../components/dialog.js";
import { labelled, range } from "../components/form.js";

/** Most pixels of a side of the square. */
const SIDE_MAX = 512;

/**
 * Asks for the square of a picture.
 * @param {File} file
 * @param {number} bytesMax
 * @returns {Promise<Uint8Array | null>} a JPEG; null = cancelled
 * @throws what the browser throws where the file is no picture
 */
export async function cropped(file, bytesMax) {
  const picture = await createImageBitmap(file);
  const pixels = Math.min(SIDE_MAX, picture.width, picture.height);
  const canvas = make("canvas", { class: "crop", width: pixels, height: pixels, role: "img", "aria-label": t("crop") });
  const chosen = { zoom: 1, across: 50, down: 50 };
  const draw = () => {
    const side = Math.min(picture.width, picture.height) / chosen.zoom;
    const context = canvas.getContext("2d");
    context.fillStyle = "#fff";
    context.fillRect(0, 0, pixels, pixels);
    context.drawImage(picture, ((picture.width - side) * chosen.across) / 100,
      ((picture.height - side) * chosen.down) / 100, side, side, 0, 0, pixels, pixels);
  };
  const slider = (/** @type {"zoom" | "across" | "down"} */ name, /** @type {number} */ least,
    /** @type {number} */ most, /** @type {number} */ step) => {
    const input = range({ min: least, max: most, step }, { name, oninput: () => {
      chosen[name] = Number(input.value);
      draw();
    } });
    input.value = String(chosen[name]);
    return labelled(t(`crop.${name}`), input);
  };
  draw();
  const isTaken = await ask(t("crop"), t("crop.take"), {}, make("div", { class: "stack" }, canvas,
    slider("zoom", 1, 4, 0.05), slider("across", 0, 100, 1), slider("down", 0, 100, 1)));
  picture.close();
  return isTaken ? packed(canvas, bytesMax) : null;
}

/**
 * The picture as a JPEG, as good as the limit allows.
 * @param {HTMLCanvasElement} canvas
 * @param {number} bytesMax
 * @returns {Promise<Uint8Array>}
 */
async function packed(canvas, bytesMax) {
  let bytes = new Uint8Array();
  for (let quality = 0.92; quality > 0.1; quality -= 0.2) {
    /** @type {Blob | null} */
    const blob = await new Promise((then) => canvas.toBlob(then, "image/jpeg", quality));
    bytes = new Uint8Array(await /** @type {Blob} */ (blob).arrayBuffer());
    if (bytes.length <= bytesMax) break;
  }
  return bytes;
}
