// Where the user is: from the browser after a tap, or from the address (`?at=LAT,LON`), or walked by keys (SES-5).

import { PositionTimer } from "../../cairn/positions.js";
import { client, tell } from "./app.js";
import { Fixes } from "./fixes.js";
import { Plane } from "./geo.js";
import { tab } from "./storage.js";

/** @typedef {{lat: number, lon: number, h: number | null, accuracy: number | null, heading: number, isSet: boolean}} Here */

/** @type {Here | null} null until it is known. */
let here = null;
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
  const { accuracy, ...place } = JSON.parse(tab.get(CHOSEN) ?? "{}");
  if (accuracy) setPlace(place, accuracy);
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
  if (!here?.isSet) return false;
  const angle = (heading * Math.PI) / 180;
  const plane = new Plane({ lat: here.lat, lon: here.lon });
  const east = forward * Math.sin(angle) + right * Math.cos(angle);
  const north = forward * Math.cos(angle) - right * Math.sin(angle);
  setPlace(plane.place([east, north, 0]), here.accuracy ?? 1);
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

/** Tells the server where the user is; guests have no place there. */
export function sendPlace() {
  if (!here || !client?.isSignedIn) return;
  client.move({
    lat: here.lat, lon: here.lon, heading: here.heading, ...(here.h != null ? { h: here.h } : {}),
    ...(here.accuracy != null ? { accuracy: here.accuracy } : {}), deviceTime: Date.now(),
  });
}
