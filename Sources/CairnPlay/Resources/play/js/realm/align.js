// Aligning the device's space with the ground by hand or by what stands there.

import { way } from "../core/alignment.js";
import { surfaceOf } from "../core/anchor.js";
import { on } from "../core/app.js";
import { make, write } from "../core/page.js";
import { own, standAt } from "../core/place.js";
import { number, t } from "../core/texts.js";
import { action } from "../components/button.js";
import { folded } from "../components/card.js";
import { slider } from "../components/form.js";
import { closeSheet, openSheet } from "../components/sheet.js";
import { exactness } from "./exactness.js";
import { camera, xr } from "./realm.js";

/** Metres that somebody stands beside what they mean to stand on, or points beside what they point at. */
const ASIDE = 0.3;
/** Things nearer than this many metres are no sight to look straight at. */
const NEAR = 3;

/** Opens the sheet in which the picture is turned until it fits. */
export function openAlign() {
  const ended = new AbortController();
  const said = make("p", { role: "status" });
  const show = () => write(said, exactness());
  // The slider begins in its middle, whatever was turned before: it turns from what is shown.
  let turned = 0;
  const { element } = slider(t("align.turn"), { min: -180, max: 180, step: 0.5 }, () => turned, (degrees) => {
    turnPicture(degrees - turned);
    turned = degrees;
  }, (degrees) => `${number(degrees, 1)}°`);
  openSheet(t("align"), [
    make("p", {}, t("align.help")),
    element, said,
    make("div", { class: "row end" },
      make("button", { type: "button", class: "accent", onclick: closeSheet }, t("align.done"))),
  ], { kind: "align", onclose: () => ended.abort() });
  on("aligned place language", show, ended.signal);
  show();
}

/**
 * Turns what is shown, not the user.
 * @param {number} degrees clockwise
 */
function turnPicture(degrees) {
  (way === "xr" ? xr : camera).turn(-degrees);
}

/**
 * The buttons that align by a thing: false where there is nothing to align.
 * @param {import("../core/view.js").Item} item
 */
export function alignButtons(item) {
  const here = own();
  if (!here) return false;
  const answer = make("div");
  const button = (/** @type {string} */ name, /** @type {() => void} */ run) => {
    const made = action(t(`align.${name}`), async () => {
      run();
      return `${t("aligned")} ${exactness()}`;
    }, "plain", { place: answer });
    made.dataset.align = name;
    return made;
  };
  const buttons = make("div", { class: "row", role: "group", "aria-label": t("align") },
    button("stand", () => stand(item)),
    way === "xr" && button("point", () => point(item)),
    way === "camera" && item.distance > NEAR && button("ahead", () => ahead(item)));
  // Where nothing lies over the camera's picture few ever need it.
  return way === "view" ? folded(t("align.why"), { class: "quiet" }, buttons, answer)
    : make("div", {}, make("p", { class: "quiet" }, t("align.why")), buttons, answer);
}

/**
 * Metres that the place of a thing may be wrong by.
 * @param {import("../core/view.js").Item} item
 */
function errorOf(item) {
  return (item.instance.pose?.accuracy ?? own()?.accuracy ?? 1) + ASIDE;
}

/**
 * The user stands on a thing.
 * @param {import("../core/view.js").Item} item
 */
function stand(item) {
  if (way === "xr") xr.standAt(item.place);
  standAt(item.place, errorOf(item));
}

/**
 * The device points at what a thing was put on, or at where it stands.
 * @param {import("../core/view.js").Item} item
 */
function point(item) {
  const here = xr.pointAt(surfaceOf(item.instance.pose) ?? item);
  if (!here) throw { code: "form", message: t("align.nothing") };
  standAt(here, errorOf(item));
}

/**
 * The user looks straight at a thing. The further it is, the less it matters where exactly they and the thing are.
 * @param {import("../core/view.js").Item} item
 */
function ahead(item) {
  const aside = Math.hypot(errorOf(item), own()?.accuracy ?? 0);
  camera.lookTo(item.bearing, (Math.atan2(aside, item.distance) * 180) / Math.PI);
}
