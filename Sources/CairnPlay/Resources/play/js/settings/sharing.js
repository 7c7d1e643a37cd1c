// The switch for sharing one's position, beside what is shown.

import { isSignedIn } from "../core/app.js";
import { save, setting } from "../core/settings.js";
import { t } from "../core/texts.js";
import { check } from "../components/form.js";

/** The switch, which is a setting of all devices; false for guests. */
export function sharing() {
  const { box, element } = check(t("setting.privacy.sharePosition"), {
    id: "sharing", checked: setting("privacy.sharePosition") === "on",
    onchange: () => save("privacy.sharePosition", box.checked ? "on" : "off"),
  });
  return isSignedIn() && element;
}
