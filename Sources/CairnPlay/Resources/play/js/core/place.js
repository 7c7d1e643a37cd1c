// Where the user is: from the browser after a tap, or from the address (`?at=LAT,LON`), or walked by keys (SES-5).

import { PositionTimer } from "../../cairn/positions.js";
import { client, isSignedIn, limits, on, tell } from "./app.js";
import { Fixes } from "./fixes.js";
import { Plane } from "./geo.js";
import { setting } from "./settings.js";
import { local, tab } from "./storage.js";

/** @typedef {{lat: number, lon: number, h: number | null, accuracy: number | null, heading: number, isSet: boolean}} Here */

/** @type {Here | null} null until it is known. */
let here = null;
/** @type {{lat: number, lon: number} | null} what is looked at while the own place is not known */
let seen = null;
let heading = 0;
/** @type {number | null} */
let watch = null;
let fixes = new Fixes();
const timer = new PositionTimer(5);
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;

/** The own place; null until it is known. */
export function own() {
  return here;
}

/**
 * From where the world is seen: the own place, else what is looked at without being there. Null = from nowhere.
 * @returns {Here | null}
 */
export function eye() {
  return here ?? (seen && { ...seen, h: null, accuracy: null, heading, isSet: true });
}

/** Degrees clockwise from north that the user looks to. */
export function ownHeading() {
  return heading;
}

/** The place that the address of the page names, if it does. */
export function asked() {
  const found = /^\s*(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)\s*$/.exec(new URLSearchParams(location.search).get("at")
    ?? "");
  if (!found) return null;
  const lat = Number(found[1]), lon = Number(found[2]);
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat, lon } : null;
}

/**
 * Sets the place by hand: from the address, from the map, or by walking with keys.
 * @param {{lat: number, lon: number}} place
 * @param {number} accuracy metres
 */
export function setPlace({ lat, lon }, accuracy = 1) {
  stopWatching();
  set({ lat, lon, h: null, accuracy, heading, isSet: true });
}

/** The place that was chosen on the map, for the next load of the page; a sign-out forgets it. */
const CHOSEN = "cairn-play-place";

/**
 * Sets the place that was chosen on the map, and keeps it for this tab.
 * @param {{lat: number, lon: number}} place
 * @param {number} accuracy metres
 */
export function choosePlace(place, accuracy) {
  setPlace(place, accuracy);
  tab.set(CHOSEN, JSON.stringify({ ...place, accuracy }));
}

/** Sets the place that was chosen before the page was loaded, if there is one. */
export function recallPlace() {
  try {
    const { accuracy, ...place } = JSON.parse(tab.get(CHOSEN) ?? "{}");
    if (accuracy) setPlace(place, accuracy);
  } catch {
    // What is no JSON was written by nobody here.
  }
}

/** The place that was looked at last, for the next visit. */
const SEEN = "cairn-play-seen";

/**
 * Looks at a place without being there (SES-14): nothing is placed from it, and nobody is told of it as of a person's
 * place. One that the person has chosen is kept for their next visit.
 * @param {{lat: number, lon: number}} place
 * @param {{isChosen?: boolean}} options
 */
export function lookAt({ lat, lon }, { isChosen = false } = {}) {
  if (here) return;
  seen = { lat, lon };
  if (isChosen) local.set(SEEN, JSON.stringify(roughly(seen)));
  tell("place", null);
  send();
}

/**
 * A place to some ten metres: enough to find it again.
 * @param {{lat: number, lon: number}} place
 */
const roughly = ({ lat, lon }) => ({ lat: Number(lat.toFixed(4)), lon: Number(lon.toFixed(4)) });

/**
 * The person has signed out: nobody stands anywhere, but where the address of the page says so, as after a reload. The
 * page looks on at what it has shown.
 */
export function leavePlace() {
  const place = asked(), from = here;
  stopWatching();
  here = null;
  if (place) setPlace(place);
  else if (from) lookAt(roughly(from));
}

/**
 * The place that was looked at on an earlier visit.
 * @returns {{lat: number, lon: number} | null}
 */
export function lastSeen() {
  try {
    const { lat, lon } = JSON.parse(local.get(SEEN) ?? "{}");
    return Number.isFinite(lat) && Number.isFinite(lon) ? { lat, lon } : null;
  } catch {
    return null;
  }
}

/**
 * Signs in. What a guest looks at is not where the person is who signs in: the server is not told so by itself, and the
 * page tells it what may be told when it knows who that is.
 * @template Result
 * @param {() => Promise<Result>} run
 * @returns {Promise<Result>}
 */
export async function signingIn(run) {
  if (!here) client.core.position = null;
  try {
    return await run();
  } catch (refusal) {
    sendPlace();
    throw refusal;
  }
}

/**
 * The user stands at this place, whatever the browser says.
 * @param {{lat: number, lon: number}} place
 * @param {number} metres how exact that is
 */
export function standAt({ lat, lon }, metres) {
  if (!here) return;
  fixes.standAt({ lat, lon }, metres);
  set({ ...here, lat, lon, accuracy: metres });
}

/**
 * Walks by hand.
 * @param {number} forward metres
 * @param {number} [right] metres. False where the browser says the place.
 */
export function walk(forward, right = 0) {
  const from = eye();
  if (!from?.isSet) return false;
  const angle = (heading * Math.PI) / 180;
  const plane = new Plane({ lat: from.lat, lon: from.lon });
  const east = forward * Math.sin(angle) + right * Math.cos(angle);
  const north = forward * Math.cos(angle) - right * Math.sin(angle);
  const to = plane.place([east, north, 0]);
  if (here) setPlace(to, here.accuracy ?? 1);
  else lookAt(to);
  return true;
}

/**
 * Turns the user.
 * @param {number} degrees clockwise from north
 */
export function turn(degrees) {
  heading = ((degrees % 360) + 360) % 360;
  tell("heading", heading);
  if (here) {
    here = { ...here, heading };
    send();
  }
}

/** Asks the browser for the place; needs a tap. Rejects with the browser's error. */
export function locate() {
  stopWatching();
  tab.set(CHOSEN, null);
  fixes = new Fixes();
  return new Promise((resolve, reject) => {
    if (!navigator.geolocation) {
      reject(new Error("none"));
      return;
    }
    watch = navigator.geolocation.watchPosition(
      ({ coords }) => {
        if (coords.heading != null && !Number.isNaN(coords.heading) && (coords.speed ?? 0) > 0.5) turn(coords.heading);
        const { latitude: lat, longitude: lon, altitude: h, accuracy, speed } = coords;
        set({ ...fixes.take({ lat, lon, h, accuracy, speed, at: performance.now() }), heading, isSet: false });
        resolve(here);
      },
      (error) => {
        tell("noPlace", error);
        reject(error);
      },
      { enableHighAccuracy: true, maximumAge: 1000, timeout: 20000 });
  });
}

function stopWatching() {
  if (watch !== null) navigator.geolocation.clearWatch(watch);
  watch = null;
}

/** @param {Here} place */
function set(place) {
  here = place;
  tell("place", here);
  send();
}

/** Sends the newest place, at most five times a second. */
function send() {
  const now = performance.now();
  const wait = timer.wait(now);
  clearTimeout(waiting);
  if (wait > 0) {
    waiting = setTimeout(send, wait);
    return;
  }
  timer.sent(now);
  sendPlace();
}

/**
 * Sends the place at other moments, as the server asks.
 * @param {number} milliseconds later
 */
export function shiftSending(milliseconds) {
  timer.shift(milliseconds);
}

/** Whether it is being said that this device shares its place, or does not. */
let isSaying = false;

/**
 * Says whether this device shares its place, whatever another one of the person switches on (VIS-9).
 * @param {boolean} shares
 */
async function say(shares) {
  if (isSaying) return;
  isSaying = true;
  try {
    await client.share(shares);
  } catch {
    // The next place tries again; without an answer nothing that is looked at is told.
    return;
  } finally {
    isSaying = false;
  }
  sendPlace();
}

/** Goes by the settings again once the own place is known: until then it was said that nothing is shared. */
function shareByTheSettings() {
  const isHidden = client.core.profile.sharesPosition === false;
  if (isSignedIn() && here && isHidden && setting("privacy.sharePosition") === "on") say(true);
}

on("settings", shareByTheSettings);

/**
 * Tells the server where the user is, or what is looked at. A guest tells a place and nothing more, where the server
 * lets guests look, and only when it is another one. What a person looks at is told after the server has heard that
 * this device shares nothing: it is not where they stand.
 */
export function sendPlace() {
  if (isSignedIn()) {
    shareByTheSettings();
    if (here) {
      client.move({
        lat: here.lat, lon: here.lon, heading: here.heading, ...(here.h != null ? { h: here.h } : {}),
        ...(here.accuracy != null ? { accuracy: here.accuracy } : {}), deviceTime: Date.now(),
      });
    } else if (seen) {
      if (client.core.profile.sharesPosition === false) client.move({ ...seen });
      else say(false);
    }
    return;
  }
  const from = here ?? seen;
  if (!from || !limits().guestsLook) return;
  const told = client.core.position;
  if (told?.lat !== from.lat || told?.lon !== from.lon) client.move({ lat: from.lat, lon: from.lon });
}
