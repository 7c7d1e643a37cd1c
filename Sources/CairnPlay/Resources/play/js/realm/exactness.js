// How exact the page believes place and direction to be.

import { direction, way } from "../core/alignment.js";
import { own } from "../core/place.js";
import { metres, number, t } from "../core/texts.js";

/** How exact place and direction are, in words; the direction where a device tells it. */
export function exactness() {
  const here = own();
  const place = !here ? t("where.unknown") : here.isSet ? t("where.set")
    : t("where.exact", { metres: metres(here.accuracy ?? 0) });
  if (way === "view") return place;
  const { by, degrees } = direction;
  return `${place} ${degrees === null ? t("direction.nothing")
    : t(`direction.${by}`, { degrees: number(Math.max(1, degrees)) })}`;
}
