// The details of a thing: who placed it, reactions, one's own one, and what one may do.

import { client, isSignedIn, limits, selected } from "../core/app.js";
import { inView } from "../core/begun.js";
import { glyph } from "../core/glyphs.js";
import { make } from "../core/page.js";
import { pick } from "../core/picked.js";
import { exactly, madeAt, t } from "../core/texts.js";
import { itemOf, objectName, title } from "../core/view.js";
import { askToEnter, drawInstance, openDetails } from "../components/details.js";
import { confirmed } from "../components/dialog.js";
import { list } from "../components/list.js";
import { refused, say, toast } from "../components/message.js";
import { closeSheet, sheetKind } from "../components/sheet.js";
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
      actions.includes("remove") && make("button", { type: "button", class: "danger quiet-danger", onclick: () =>
        remove(item, body) }, t("remove")),
      isSignedIn() && make("button", { type: "button", onclick: () => reactors(item, body) }, t("reactions.who")),
      !mine && selected.isOwn && make("button", { type: "button", class: "plain", onclick: () => takeOut(item, body) },
        t("takeOut"))));
}

/**
 * @param {Item} item
 * @param {any[]} counts
 * @param {string} mine
 */
function reactions(item, counts, mine) {
  const total = new Map(counts.map(({ reaction, count }) => [reaction, count]));
  return make("div", { class: "reactions", role: "group", "aria-label": t("reactions") },
    ...(limits().reactions ?? []).map((/** @type {string} */ name) => {
    const count = total.get(name) ?? 0;
    const button = make("button", {
      type: "button", "data-reaction": name, "aria-pressed": String(name === mine),
      "aria-label": t("reaction.count", { name: t(`reaction.${name}`), count }),
      onclick: async () => {
        if (!isSignedIn()) {
          askToReact(button.closest(".details"), item, name);
          return;
        }
        button.disabled = true;
        if (item.isOwn) byMyself(item.key);
        try {
          await client.react(item.instance, name === mine ? "" : name);
          const body = button.closest(".details");
          if (body) await drawInstance(body, item.key, undefined, drawThing);
          /** @type {HTMLElement | null} */ (document.querySelector(`.details [data-reaction="${name}"]`))?.focus();
        } catch (refusal) {
          button.disabled = false;
          button.closest(".details")?.append(refused(refusal));
        }
      },
    }, glyph(name), make("span", { class: "count", "aria-hidden": "true" }, count > 0 ? String(count) : ""));
    return button;
  }));
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
  await inView(cell);
  await client.request("react", { instance: id, cell, reaction });
  const name = t(`reaction.${reaction}`);
  say(t("reacted", { name }));
  if (itemOf(id)) await pick(id, { focus: false });
  else toast(t("reacted", { name }));
}

/**
 * @param {Item} item
 * @param {HTMLElement} body
 */
async function reactors(item, body) {
  body.querySelector(".reactors")?.remove();
  try {
    const { reactions = [] } = await client.request("listReactions",
      { instance: item.instance.id, cell: item.instance.cell });
    const all = (item.instance.reactions ?? []).reduce((/** @type {number} */ sum, /** @type {any} */ { count = 0 }) =>
      sum + count, 0);
    const others = all - reactions.length;
    body.append(make("div", { class: "reactors" }, list(reactions.map((/** @type {any} */ { user, reaction }) =>
      make("li", { class: "row" }, glyph(reaction), user.name,
        make("span", { class: "unseen" }, ` ${t(`reaction.${reaction}`)}`))), others > 0 ? "" : t("reactions.nobody")),
    others > 0 && make("p", { class: "quiet" }, t("reactions.others", { n: others }))));
  } catch (refusal) {
    body.append(refused(refusal));
  }
}

/**
 * @param {Item} item
 * @param {HTMLElement} body
 */
async function remove(item, body) {
  if (!(await confirmed(t("remove.ask", { what: title(item) }), t("remove")))) return;
  try {
    await client.remove(item.instance);
    if (sheetKind() === "details") closeSheet();
    toast(t("removed"));
  } catch (refusal) {
    body.append(refused(refusal));
  }
}

/**
 * @param {Item} item
 * @param {HTMLElement} body
 */
async function takeOut(item, body) {
  if (!(await confirmed(t("takeOut.ask"), t("takeOut")))) return;
  try {
    await client.request("takeOut", { realm: selected.id, instance: item.instance.id, cell: item.instance.cell });
    closeSheet();
  } catch (refusal) {
    body.append(refused(refusal));
  }
}

