// The details of a thing: who placed it, reactions, one's own one, and what one may do.

import { client, isSignedIn, limits, selected } from "../core/app.js";
import { inView } from "../core/begun.js";
import { make } from "../core/page.js";
import { exactly, madeAt, t } from "../core/texts.js";
import { itemOf, objectName, title } from "../core/view.js";
import { blocking } from "../components/blocking.js";
import { act, action } from "../components/button.js";
import { askToEnter, drawInstance, openDetails, showDone } from "../components/details.js";
import { confirmed } from "../components/dialog.js";
import { list } from "../components/list.js";
import { say, toast } from "../components/message.js";
import { reactionGlyph } from "../components/reaction.js";
import { closeSheetOf, ticket } from "../components/sheet.js";
import { startEdit } from "./editor.js";
import { byMyself } from "./mine.js";

/** @typedef {import("../core/view.js").Item} Item */

/**
 * Opens the details of a thing.
 * @param {Item} item
 * @param {import("../core/picked.js").Options} options
 */
export function openThing(item, options) {
  return openDetails(item, options, objectName(item.instance.object), (body) =>
    drawInstance(body, item.key, options.item, drawThing));
}

/**
 * @param {HTMLElement} body
 * @param {Item} item
 * @param {Node | ""} text
 */
async function drawThing(body, item, text) {
  const found = await client.select(item.instance);
  const { instance, placerName, ownReaction = "", actions = [] } = found;
  const mine = item.isOwn || actions.includes("edit");
  body.replaceChildren(
    text, make("p", { class: "quiet" }, [
      mine ? t("by.you") : placerName ? t("by", { name: placerName }) : t("by.hidden"),
      instance.created > 0 ? madeAt(instance.created) : "",
      instance.pose?.accuracy != null ? exactly(instance.pose.accuracy) : "",
    ].filter(Boolean).join(" · ")),
    reactions(item, instance.reactions ?? [], ownReaction),
    make("div", { class: "row" },
      actions.includes("edit") && make("button", { type: "button", onclick: () => startEdit(instance) }, t("edit")),
      actions.includes("remove") && action(t("remove"), () => remove(item, body), "danger quiet-danger"),
      isSignedIn() && action(t("reactions.who"), () => reactors(item, body)),
      !mine && selected.isOwn && action(t("takeOut"), () => takeOut(item, body), "plain"),
      !mine && placerName && isSignedIn() && blocking(t("block.by", { name: placerName }), placerName)));
}

/**
 * @param {Item} item
 * @param {any[]} counts
 * @param {string} mine
 */
function reactions(item, counts, mine) {
  const total = new Map(counts.map(({ reaction, count }) => [reaction, count]));
  const trouble = make("div");
  return make("div", {}, make("div", { class: "reactions", role: "group", "aria-label": t("reactions") },
    ...(limits().reactions ?? []).map((/** @type {string} */ name) => {
    const count = total.get(name) ?? 0;
    const button = make("button", {
      type: "button", "data-reaction": name, "aria-pressed": String(name === mine),
      "aria-label": t("reaction.count", { name: t(`reaction.${name}`), count }),
      onclick: () => {
        const body = button.closest(".details");
        if (isSignedIn()) act(button, () => react(body, item, name, mine), { place: trouble });
        else askToReact(body, item, name);
      },
    }, reactionGlyph(name), make("span", { class: "count", "aria-hidden": "true" }, count > 0 ? String(count) : ""));
    return button;
  })), trouble);
}

/**
 * @param {HTMLElement | null} body
 * @param {Item} item
 * @param {string} reaction
 * @param {string} mine the one of before: the same again is withdrawn
 */
async function react(body, item, reaction, mine) {
  if (item.isOwn) byMyself(item.key);
  await client.react(item.instance, reaction === mine ? "" : reaction);
  if (body) await drawInstance(body, item.key, undefined, drawThing);
  say(reaction === mine ? t("unreacted") : t("reacted", { name: t(`reaction.${reaction}`) }));
  /** @type {any} */ (body?.querySelector(`[data-reaction="${reaction}"]`))?.focus();
}

/**
 * A guest has touched a reaction: what it needs is said there, and it goes on by itself.
 * @param {HTMLElement} body
 * @param {Item} item
 * @param {string} reaction
 */
function askToReact(body, item, reaction) {
  const { id, cell } = item.instance, data = { id, cell, reaction };
  askToEnter(body, item, { why: t("react.guest"), begun: { name: "reaction", data }, then: () => goOnReacting(data) });
}

/**
 * Goes on with the reaction that a guest has begun, and shows it.
 * @param {{id: string, cell: string, reaction: string}} begun
 */
export async function goOnReacting({ id, cell, reaction }) {
  const isCurrent = ticket();
  await inView(cell);
  await client.request("react", { instance: id, cell, reaction });
  await showDone(id, t("reacted", { name: t(`reaction.${reaction}`) }), isCurrent);
}

/**
 * @param {Item} item
 * @param {HTMLElement} body
 */
async function reactors(item, body) {
  body.querySelector(".reactors")?.remove();
  const { reactions = [] } = await client.request("listReactions",
    { instance: item.instance.id, cell: item.instance.cell });
  const all = (itemOf(item.key)?.instance.reactions ?? []).reduce((/** @type {number} */ sum, /** @type {any} */ one) =>
    sum + one.count, 0);
  const others = all - reactions.length;
  const shown = make("div", { class: "reactors", tabindex: "-1" },
    list(reactions.map((/** @type {any} */ { user, reaction }) => make("li", { class: "row" },
      reactionGlyph(reaction),
      user.name, make("span", { class: "unseen" }, ` ${t(`reaction.${reaction}`)}`))), t("reactions.nobody")),
    reactions.length > 0 && others > 0 && make("p", { class: "quiet" }, t("reactions.others", { n: others })));
  body.append(shown);
  say([...shown.querySelectorAll("li, p")].map((one) => one.textContent).join(", "));
}

/**
 * @param {Item} item
 * @param {HTMLElement} body of its details
 */
async function remove(item, body) {
  if (!(await confirmed(t("remove.ask", { what: title(item) }), t("remove")))) return;
  await client.remove(item.instance);
  closeSheetOf(body);
  toast(t("removed"));
}

/**
 * @param {Item} item
 * @param {HTMLElement} body of its details
 */
async function takeOut(item, body) {
  if (!(await confirmed(t("takeOut.ask"), t("takeOut")))) return;
  await client.request("takeOut", { realm: selected.id, instance: item.instance.id, cell: item.instance.cell });
  closeSheetOf(body);
  toast(t("removed"));
}
