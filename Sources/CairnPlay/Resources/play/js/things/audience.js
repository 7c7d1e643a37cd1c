// Who sees what is left in public, in words.

import { limits } from "../core/app.js";
import { t } from "../core/texts.js";

/**
 * What is said of everybody who comes by, and that guests see it too where the server lets them look.
 * @param {string} text
 */
export function publicly(text) {
  return limits().guestsLook ? `${text} ${t("guests.see")}` : text;
}
