// The details of what is selected: where it is, reactions or votes, one's own ones, and what one may do (VIS-7).

import { client, isSignedIn, limits, on, selected, tell } from "../core/app.js";
import { confirmed, closeSheet, openSheet, sheetKind } from "../components/sheet.js";
import { alignButtons } from "../realm/align.js";
import { make, write } from "../core/page.js";
import { moment, t } from "../core/texts.js";
import { distance } from "../core/geo.js";
import { itemOf, items, title, whereabouts } from "../core/view.js";
import { card } from "../core/refusals.js";
import { startEdit } from "./editor.js";
import { editPost, removePost, voteButtons } from "../posts/posts.js";
import { glyph } from "../core/glyphs.js";
import { go } from "../core/router.js";
import { say, toast } from "../frame/shell.js";
import { personCard } from "../people/person.js";

/** What is nearer to one another than this many metres stands in one stack. */
const STACK_METRES = 1.5;

/**
 * Key of the selected item; null = nothing.
 * @type {string | null}
 */
export let picked = null;

/**
 * Selects an item and shows its details. Where it is not in view, they are of the item that the caller has. `over`
 * opens the list again that it was selected in.
 * @param {string} key
 * @param {{focus?: boolean, item?: import("../core/view.js").Item, over?: () => void}} options
 */
export async function pick(key, { focus = true, item: given, over } = {}) {
  const item = itemOf(key) ?? given;
  if (!item) return;
  const body = make("div", { class: "details", "data-key": key, "data-item": item.kind });
  const where = make("p", { class: "quiet" }, whereabouts(item));
  const kind = item.kind === "post" ? t("post") : item.kind === "person" ? t("person")
    : title({ ...item, instance: { ...item.instance, text: "" } });
  const onclose = () => { picked = null; tell("selectedItem"); };
  openSheet(kind, [where, body], { kind: "details", focus, over, onclose });
  picked = key;
  tell("selectedItem");
  const stack = others(item, over), align = item.kind === "thing" && alignButtons(item);
  if (stack) body.after(stack);
  if (align) body.after(align);
  say(t("picked", { what: title(item) }));
  await draw(body, key, given);
}

/**
 * What stands in the same place: a stack is browsed one by one (VIS-4).
 * @param {import("../core/view.js").Item} item
 * @param {() => void} [over]
 */
function others(item, over) {
  const near = items().filter((one) => one.key !== item.key && distance(one.place, item.place) < STACK_METRES);
  return near.length > 0 && make("div", { class: "stack", role: "group", "aria-label": t("alsoHere") },
    make("h3", {}, t("alsoHere")), ...near.slice(0, 20).map((one) => make("button", {
      type: "button", class: "line", "data-also": one.key, onclick: () => pick(one.key, { over }),
    }, make("span", { class: `line-mark ${one.kind}`, "aria-hidden": "true" }),
    make("span", { class: "line-title", dir: "auto" }, title(one)))));
}

/**
 * @param {HTMLElement} body
 * @param {string} key
 * @param {import("../core/view.js").Item} [given]
 */
async function draw(body, key, given) {
  const item = itemOf(key) ?? given;
  if (!item) {
    body.replaceChildren(make("p", {}, t("gone")));
    return;
  }
  if (item.kind === "person") {
    body.replaceChildren(await personCard(item.instance.id, item.instance.name));
    return;
  }
  const text = item.instance.text && make("blockquote", { dir: "auto" }, item.instance.text);
  if (!isSignedIn()) {
    body.replaceChildren(text || "", totals(item.instance.reactions ?? []),
      make("p", { class: "row" }, make("button", { type: "button", class: "accent", onclick: () =>
        go("profile", "signin") }, t("signIn.first"))));
    return;
  }
  try {
    if (item.kind === "post") await drawPost(body, item, text);
    else await drawThing(body, item, text);
  } catch (refusal) {
    body.replaceChildren(text || "", card(refusal));
  }
}

/**
 * @param {HTMLElement} body
 * @param {import("../core/view.js").Item} item
 * @param {any} text
 */
async function drawThing(body, item, text) {
  const found = await client.select(item.instance);
  const { instance, placerName, ownReaction = "", actions = [] } = found;
  const mine = item.isOwn || actions.includes("edit");
  body.replaceChildren(
    text || "",
    make("p", { class: "quiet" }, [
      mine ? t("by.you") : placerName ? t("by", { name: placerName }) : t("by.hidden"),
      instance.created > 0 ? moment(instance.created) : "",
      instance.pose?.accuracy != null ? t("exact.to", { metres: instance.pose.accuracy.toFixed(1) }) : "",
    ].filter(Boolean).join(" · ")),
    reactions(item, instance.reactions ?? [], ownReaction),
    make("div", { class: "row" },
      actions.includes("edit") && make("button", { type: "button", onclick: () => startEdit(instance) }, t("edit")),
      actions.includes("remove") && make("button", { type: "button", class: "danger quiet-danger", onclick: () =>
        remove(item, body) }, t("remove")),
      make("button", { type: "button", onclick: () => reactors(item, body) }, t("reactions.who")),
      !mine && selected.id && make("button", { type: "button", class: "plain", onclick: () => takeOut(item, body) },
        t("takeOut"))));
}

/**
 * @param {HTMLElement} body
 * @param {import("../core/view.js").Item} item
 * @param {any} text
 */
async function drawPost(body, item, text) {
  const { post, ownVote = 0, actions = [], authorName } = item.isOwn && !itemOf(item.key) ? ofPage(item.instance)
    : await client.readPost(item.instance);
  body.replaceChildren(
    text || "",
    make("p", { class: "quiet" }, [
      item.isOwn ? t("by.you") : authorName ? t("by", { name: authorName }) : t("by.hidden"), moment(post.post.created),
      post.post.edited ? t("post.edited") : "", t("post.ends", { time: moment(post.post.expires) }),
    ].filter(Boolean).join(" · ")),
    voteButtons(item.instance, post.post, ownVote, actions.includes("vote"), () => draw(body, item.key, item)),
    make("div", { class: "row" },
      actions.includes("edit_post") && make("button", { type: "button", onclick: () => editPost(post) }, t("edit")),
      actions.includes("remove_post") && make("button",
        { type: "button", class: "danger quiet-danger", onclick: () => removePost(post) }, t("remove"))));
}

/**
 * An own post that is not in view, which the server reads to nobody: what the list of own posts said.
 * @param {any} post
 */
function ofPage(post) {
  const isEditable = Number(post.post.editableUntil ?? 0) > client.serverNow();
  return { post, ownVote: 0, actions: ["remove_post", ...(isEditable ? ["edit_post"] : [])], authorName: "" };
}

/**
 * The totals alone, for guests.
 * @param {any[]} counts
 */
function totals(counts) {
  return make("p", { class: "row" }, ...counts.map(({ reaction, count }) =>
    make("span", { class: "row" }, glyph(reaction),
    make("span", { class: "unseen" }, t(`reaction.${reaction}`)), String(count))));
}

/**
 * @param {import("../core/view.js").Item} item
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
        button.disabled = true;
        try {
          await client.react(item.instance, name === mine ? "" : name);
          const body = button.closest(".details");
          if (body) await draw(body, item.key);
          /** @type {HTMLElement | null} */ (document.querySelector(`.details [data-reaction="${name}"]`))?.focus();
        } catch (refusal) {
          button.disabled = false;
          button.closest(".details")?.append(card(refusal));
        }
      },
    }, glyph(name), make("span", { class: "count", "aria-hidden": "true" }, count > 0 ? String(count) : ""));
    return button;
  }));
}

/**
 * @param {import("../core/view.js").Item} item
 * @param {HTMLElement} body
 */
async function reactors(item, body) {
  body.querySelector(".reactors")?.remove();
  const list = make("ul", { class: "reactors plain-list" });
  try {
    const { reactions = [] } = await client.request("listReactions",
      { instance: item.instance.id, cell: item.instance.cell });
    for (const { user, reaction } of reactions) {
      list.append(make("li", { class: "row" }, glyph(reaction), user.name,
        make("span", { class: "unseen" }, ` ${t(`reaction.${reaction}`)}`)));
    }
    if (reactions.length === 0) list.append(make("li", { class: "quiet" }, t("reactions.nobody")));
    body.append(list);
  } catch (refusal) {
    body.append(card(refusal));
  }
}

/**
 * @param {import("../core/view.js").Item} item
 * @param {HTMLElement} body
 */
async function remove(item, body) {
  if (!(await confirmed(t("remove.ask", { what: title(item) }), t("remove")))) return;
  try {
    await client.remove(item.instance);
    if (sheetKind() === "details") closeSheet();
    toast(t("removed"));
  } catch (refusal) {
    body.append(card(refusal));
  }
}

/**
 * @param {import("../core/view.js").Item} item
 * @param {HTMLElement} body
 */
async function takeOut(item, body) {
  if (!(await confirmed(t("takeOut.ask"), t("takeOut")))) return;
  try {
    await client.request("takeOut", { realm: selected.id, instance: item.instance.id, cell: item.instance.cell });
    closeSheet();
  } catch (refusal) {
    body.append(card(refusal));
  }
}

/**
 * Follows what is selected while it changes, or goes.
 * @param {any} client
 */
export function followDetails(client) {
  client.on("disappeared", (/** @type {any} */ instance) => {
    if (picked !== instance.id || sheetKind() !== "details") return;
    closeSheet();
    say(t("gone"));
  });
  client.on("changed", (/** @type {any} */ { instance }) => {
    const body = /** @type {HTMLElement | null} */ (document.querySelector(".details"));
    if (picked !== instance.id || !body) return;
    for (const { reaction, count } of instance.reactions ?? []) {
      const shown = body.querySelector(`[data-reaction="${CSS.escape(reaction)}"] .count`);
      if (shown) write(shown, String(count));
    }
    const quote = body.querySelector("blockquote");
    if (quote && instance.text) write(quote, instance.text);
  });
  on("language", () => { if (sheetKind() === "details") closeSheet(); });
}
