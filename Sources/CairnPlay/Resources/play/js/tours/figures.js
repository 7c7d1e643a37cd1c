// The figures of a tour in words: how long it is, what it costs, how far from here it begins.

import { client } from "../core/app.js";
import { compass, bearing, distance } from "../core/geo.js";
import { own } from "../core/place.js";
import { locale, metres, span, t } from "../core/texts.js";
import { priceWords } from "./price.js";
import { aim, run } from "./run.js";

/** What begins within so many metres begins here. */
const HERE = 10;

/**
 * A price in the money's own form, in the server's currency where no other is named.
 * @param {number} cents hundredths of the currency
 * @param {string} [currency]
 */
export function money(cents, currency = client.welcome?.limits?.currency) {
  return priceWords(cents, currency, locale);
}

/** @param {any} tour */
export const price = (tour) => (tour.price > 0 ? money(tour.price) : t("tours.free"));

/**
 * Length and time of a tour; empty while it has no route.
 * @param {any} tour
 */
export function length(tour) {
  const { distance: way = 0, seconds = 0 } = tour;
  return way > 0 ? t("tours.length", { distance: metres(way), time: span(seconds * 1000) }) : "";
}

/**
 * How far from here a tour begins, and where; empty while the own place is not known. Of the tour that is walked, where
 * its next stop is: the bar above the page says the same.
 * @param {any} tour
 */
export function away(tour) {
  const to = run?.tour === tour.id && aim();
  if (to) return [t("run.to", { name: to.name }), t("run.ahead", { distance: metres(to.metres),
    direction: compass(to.bearing) })].join(", ");
  const here = own(), { start } = tour;
  if (start && here && distance(here, start) < HERE) return t("tours.away.not");
  if (!start || !here) return tour.away != null ? t("tours.away", { distance: metres(tour.away) }) : "";
  return t("tours.away.towards", { distance: metres(tour.away ?? distance(here, start)),
    direction: compass(bearing(here, start)) });
}

/**
 * Length, time, stops, price and distance of a tour in words.
 * @param {any} tour
 * @param {number} [stops]
 */
export function figures(tour, stops) {
  return [length(tour), stops !== undefined && t("tours.stopCount", { n: stops }), price(tour), away(tour)]
    .filter(Boolean).join(" · ");
}
