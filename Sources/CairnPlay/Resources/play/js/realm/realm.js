// The Realm: what is around, in perspective. A 3D view with drag and keys, the camera's picture with motion sensors, or
// WebXR; the best that the device has is offered first, and the list remains where there is no WebGL.

import { aligned, way } from "../core/alignment.js";
import { client, on } from "../core/app.js";
import { given } from "../core/extensions.js";
import { at, make, write } from "../core/page.js";
import { pick, picked } from "../core/picked.js";
import { eye } from "../core/place.js";
import { t } from "../core/texts.js";
import { crowdTotal, isThinned, items, people, total } from "../core/view.js";
import { toast } from "../components/message.js";
import { sheetKind } from "../components/sheet.js";
import { openList } from "../around/list.js";

/** @type {import("./scene.js").Scene | null} */
let scene = null;
/** @type {import("./labels.js").Labels} */
let labels;
/** @type {{draw: () => void}[]} what features lay over the picture */
let overlays = [];
/** @type {import("./camera.js").CameraView} */
export let camera;
/** @type {import("./xr.js").WebXR} */
export let xr;
/** @type {() => void} turns the 3D view to where it began */
let beginAgain = () => {};
let isShown = false;
let isStale = true;
let hasPeople = false;
/** Frames drawn since the page was opened, for whoever measures. */
export let frames = 0;

/**
 * The ways to see the Realm here, best first.
 * @returns {Promise<("xr" | "camera" | "view")[]>}
 */
export async function ways() {
  const found = /** @type {("xr" | "camera" | "view")[]} */ ([]);
  const { canDoXR } = await import("./xr.js");
  if (await canDoXR()) found.push("xr");
  if (navigator.mediaDevices && "DeviceOrientationEvent" in window) found.push("camera");
  return [...found, "view"];
}

/** Shows the Realm. */
export async function showRealm() {
  isShown = true;
  isStale = true;
  if (!scene && !(await opened())) return;
  scene?.resize();
  soon();
}

/** Stops drawing; camera and sensors are switched off. */
export function hideRealm() {
  isShown = false;
  camera?.stop();
  xr?.stop();
}

/** @type {Promise<boolean> | null} */
let opening = null;

/** The scene is made once, whoever asks first; what could not be made is tried again. */
function opened() {
  opening ??= open().finally(() => { opening = null; });
  return opening;
}

/** Opens the scene; without WebGL the list says the same. It is loaded here: only the Realm needs it. */
async function open() {
  const frame = at("realm");
  const [{ THREE }, { Scene }, { Labels }, { CameraView }, { WebXR }, look, { Edges, Looks }, { Walking },
    laid] = await Promise.all([import(/** @type {any} */ ("/play/lib/three.js")), import("./scene.js"),
    import("./labels.js"), import("./camera.js"), import("./xr.js"), import("./look.js"), import("./tools.js"),
    import("./walk.js"),
    Promise.all(given("overlay").map((load) => load())), import("./shapes.js").then(({ loadShapes }) => loadShapes())]);
  try {
    scene = new Scene(THREE, frame);
  } catch {
    frame.replaceChildren(make("div", { class: "plain" }, make("p", {}, t("realm.noWebGL")),
      make("button", { type: "button", class: "accent", onclick: () => openList() }, t("list"))));
    // The person may be elsewhere by now, or read something.
    if (isShown && !sheetKind()) openList();
    return false;
  }
  frame.tabIndex = 0;
  frame.setAttribute("role", "application");
  frame.setAttribute("aria-roledescription", t("realm.view"));
  frame.setAttribute("aria-label", t("realm.keys"));
  const view = scene;
  labels = new Labels(view, frame, pick);
  const looks = new Looks(view, frame, stale);
  const others = laid.map((Overlay) => new Overlay(view, frame));
  overlays = [new Edges(view, frame), looks, new Walking(looks.box), ...others];
  camera = new CameraView(scene, frame, stale);
  xr = new WebXR(scene, { pick, drawn: drawXR });
  beginAgain = () => look.beginAgain(view);
  look.letLook(scene, frame, { pick: (key) => { if (key && key !== "draft") pick(key, { focus: false }); stale(); },
    changed: stale });
  on("view place heading draft selectedItem run group", stale);
  on("people", () => { hasPeople = true; });
  on("settings language", () => {
    scene?.recolour();
    frame.setAttribute("aria-label", t("realm.keys"));
    stale();
  });
  const ask = make("p", { class: "hint" });
  frame.append(ask);
  on("place language view people", () => hint(ask));
  hint(ask);
  // For tests: what is drawn, and where.
  /** @type {any} */ (frame).scene = scene;
  return true;
}

/**
 * Says what is missing in the picture: the place, or what is too much to be shown.
 * @param {HTMLElement} element
 */
function hint(element) {
  const shown = eye() ? Math.min(items().length, client.shownMax) + people().length : 0;
  element.hidden = Boolean(eye()) && !isThinned() && total <= client.shownMax;
  element.classList.toggle("aside", Boolean(eye()));
  if (element.hidden) return;
  write(element, eye() ? t("list.nearest", { n: shown, total: total + crowdTotal }) : t("where.unknown"));
}

function stale() {
  isStale = true;
}

/** The frame that is asked for. */
let coming = 0;

/** Draws with the next frame of the screen; asked for twice it is drawn once. */
function soon() {
  cancelAnimationFrame(coming);
  coming = requestAnimationFrame(frame);
}

let last = 0;
let slow = 0;
/** Milliseconds between two pictures of people who walk; more where a picture takes longer than that. */
let pace = 30;

/** @param {number} now */
function frame(now) {
  if (!isShown || !scene || xr.isOn) return;
  soon();
  measure(now);
  if (hasPeople) hasPeople = people().length > 0;
  if (!isStale && !scene.isDirty && !((hasPeople || scene.isWalking) && now - last > pace)) return;
  isStale = false;
  last = now;
  camera.steer();
  scene.update(picked);
  if (scene.draw()) {
    frames += 1;
    labels.choose();
    labels.place(picked);
    for (const overlay of overlays) overlay.draw();
  }
}

let before = 0;

/**
 * A device that cannot keep up gets a coarser picture, and fewer of them.
 * @param {number} now
 */
function measure(now) {
  const took = now - before;
  before = now;
  slow = took > 70 && took < 1000 ? slow + 1 : Math.max(0, slow - 0.2);
  if (slow > 40 && scene && scene.renderer.getPixelRatio() > 0.6) {
    slow = 0;
    pace = Math.min(200, pace * 1.6);
    scene.renderer.setPixelRatio(scene.renderer.getPixelRatio() * 0.75);
    scene.resize();
  }
}

function drawXR() {
  frames += 1;
  scene?.update(picked);
  for (const overlay of overlays) overlay.draw();
}

/**
 * Changes to another way of seeing. Needs a tap: browsers ask for camera and sensors then.
 * @param {"xr" | "camera" | "view"} wanted
 */
export async function changeWay(wanted) {
  if (!scene && !(await opened())) return;
  // In the 3D view one looks to where one likes: that says nothing of the device.
  if (way === "view") aligned("nothing", null);
  camera.stop();
  await xr.stop();
  try {
    if (wanted === "camera") await camera.start();
    if (wanted === "xr") await xr.start();
  } catch (error) {
    toast(t(/** @type {any} */ (error).name === "NotAllowedError" ? "camera.denied" : "camera.none"), { kind: "bad" });
  }
  if (wanted === "view") beginAgain();
  stale();
  if (!xr.isOn) soon();
}
