// The switch for sharing one's position, beside what it shows and to whom: in the sheet behind the pill, and offered
// once when the first friend or member is near.

import { client, isSignedIn, on, selected, tell } from "../core/app.js";
import { icon, make, write } from "../core/page.js";
import { own } from "../core/place.js";
import { save, setting } from "../core/settings.js";
import { local } from "../core/storage.js";
import { language, t } from "../core/texts.js";
import { act, action } from "../components/button.js";
import { check } from "../components/form.js";
import { refuse, toast } from "../components/message.js";
import { askPlace } from "../where/locate.js";

/** Where this browser keeps that it was offered to the person at hand, until they sign out. */
const OFFERED = "cairn-play-offered";
/** How long what is known of friends and members counts. */
const KNOWN_MS = 60_000;

/**
 * Switches it on or off. It is one's own place that is shared: without one it is asked for first.
 * @param {boolean} isOn
 * @returns {Promise<string>} what counts then, in words; empty while the place is asked for
 */
export async function share(isOn) {
  const put = () => save("privacy.sharePosition", isOn ? "on" : "off");
  if (isOn && !own()) {
    askPlace(() => put().then(() => toast(counting()), refuse));
    return "";
  }
  await put();
  return counting();
}

/** Who sees the own place now, in words. */
export function counting() {
  return setting("privacy.sharePosition") !== "on" ? t("sharing.off")
    : t("sharing.on", { accuracy: t(`sharing.accuracy.${setting("privacy.accuracy")}`) });
}

/** What others see of it, and how exactly. */
function about() {
  const isOff = setting("privacy.sharePosition") !== "on";
  const accuracy = t(`sharing.accuracy.${setting("privacy.accuracy")}`);
  return [isOff && t("sharing.off"), t("sharing.about", { accuracy })].filter(Boolean).join(" ");
}

/** Ends when the switch is made anew. */
let shown = new AbortController();

/** The switch, which is a setting of all devices; false for guests. */
export function sharing() {
  if (!isSignedIn()) return false;
  const { box, element } = check(t("setting.privacy.sharePosition"), {
    id: "sharing", checked: setting("privacy.sharePosition") === "on", onchange: async () => {
      const { checked } = box;
      await act(box, () => share(checked), { place: answer });
      box.checked = setting("privacy.sharePosition") === "on";
    },
  });
  const answer = make("div"), words = make("p", { class: "quiet" }, about());
  // It may be switched elsewhere: in the settings, or on another device.
  shown.abort();
  shown = new AbortController();
  on("settings", () => {
    if (!box.hasAttribute("aria-busy")) box.checked = setting("privacy.sharePosition") === "on";
    write(words, about());
    const said = answer.querySelector(".done");
    if (said) write(said, counting());
  }, shown.signal);
  return make("div", {}, element, answer, words);
}

// MARK: - The offer

/** Whether the person at hand was offered it on this device. */
export function wasOffered() {
  return local.get(OFFERED) === client.welcome.account;
}

let known = { ids: new Set(), at: -Infinity, of: "" };

/** The accounts of friends, and of the members of the selected sub-realm, asked for at most once a minute. */
async function acquaintances() {
  const of = `${client.welcome.account} ${selected.id}`;
  if (known.of === of && performance.now() - known.at < KNOWN_MS) return known.ids;
  known = { ids: new Set(), at: performance.now(), of };
  /** @type {any[]} */
  const [{ friends = [] }, { members = [] }] = await Promise.all([client.request("listFriends"),
    selected.id ? client.request("listMembers", { realm: selected.id }) : {}]);
  known.ids = new Set([...friends, ...members.map((/** @type {any} */ { user }) => user)]
    .map(({ account }) => account));
  known.ids.delete(client.welcome.account);
  return known.ids;
}

/** @type {{node: HTMLElement, key: string} | null} */
let made = null;

/** What offers it while somebody whom the person knows is near; false while nobody is. */
export async function offer() {
  const ids = await acquaintances().catch(() => new Set());
  const near = client.people().find((/** @type {any} */ { id }) => ids.has(id));
  if (!near) return false;
  const key = `${language} ${near.id}`;
  if (made?.key !== key) made = { key, node: card(near.name) };
  return made.node;
}

/** @param {string} name */
function card(name) {
  return banner(`${t("sharing.near", { name })} ${about()}`, t("setting.privacy.sharePosition"), () => share(true),
    () => local.set(OFFERED, client.welcome.account));
}

/**
 * Says that one's place is shown to others, with what ends that: the setting is the account's, and counts again after
 * a sign-in.
 * @param {() => void} read is told when it was read, or answered
 */
export function reminder(read) {
  // Who ends it is not asked to begin again.
  local.set(OFFERED, client.welcome.account);
  const key = `${language} ${setting("privacy.accuracy")}`;
  if (made?.key !== key) made = { key, node: banner(again(), t("sharing.stop"), () => share(false), read) };
  return made.node;
}

function again() {
  return t("sharing.again", { accuracy: t(`sharing.accuracy.${setting("privacy.accuracy")}`) });
}

/**
 * A sentence over the stage, with one thing to do.
 * @param {string} words
 * @param {string} text of the button
 * @param {() => Promise<string>} run
 * @param {() => unknown} read
 */
function banner(words, text, run, read) {
  const answered = () => {
    read();
    made = null;
    tell("banner");
  };
  return make("section", { class: "offer", "aria-label": t("setting.privacy.sharePosition") },
    make("p", { role: "status" }, words),
    make("div", { class: "row" },
      action(text, async () => {
        const done = await run();
        answered();
        // The sentence goes with its button.
        if (done) toast(done);
      }, "accent"),
      make("button", { type: "button", class: "round plain", "aria-label": t("close"), onclick: answered },
        icon("close"))));
}
