// Settings, for the register: their section, and the switch for sharing one's position beside what is shown.

import { isSignedIn } from "../core/app.js";
import { save, setting } from "../core/settings.js";
import { t } from "../core/texts.js";
import { check } from "../components/form.js";

/** A switch for sharing one's position, which is a setting of all devices. */
function sharing() {
  const { box, element } = check(t("setting.privacy.sharePosition"), {
    id: "sharing", checked: setting("privacy.sharePosition") === "on",
    onchange: () => save("privacy.sharePosition", box.checked ? "on" : "off"),
  });
  return element;
}

/** @type {import("../core/extensions.js").Feature} */
export const settings = {
  name: "settings",
  sections: { settings: { rank: 50, who: "all", load: async () => (await import("./settings.js")).settingsPage } },
  shown: [{ rank: 2, make: () => isSignedIn() && sharing() }],
};
