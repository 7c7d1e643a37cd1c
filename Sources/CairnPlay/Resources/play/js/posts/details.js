// The details of a post: its text, votes, and what one may do.

import { client, isSignedIn } from "../core/app.js";
import { inView } from "../core/begun.js";
import { make } from "../core/page.js";
import { madeAt, t } from "../core/texts.js";
import { itemOf } from "../core/view.js";
import { blocking } from "../components/blocking.js";
import { action } from "../components/button.js";
import { askToEnter, drawInstance, openDetails, showDone } from "../components/details.js";
import { ticket } from "../components/sheet.js";
import { editPost, removePost, voteButtons } from "./posts.js";

/** @typedef {import("../core/view.js").Item} Item */

/**
 * Opens the details of a post.
 * @param {Item} item
 * @param {import("../core/picked.js").Options} options
 */
export function openPost(item, options) {
  return openDetails(item, options, t("post"), (body) => drawInstance(body, item.key, options.item, drawPost));
}

/**
 * @param {HTMLElement} body
 * @param {Item} item
 * @param {Node | ""} text
 */
async function drawPost(body, item, text) {
  const { post, ownVote = 0, actions = [], authorName } = item.isOwn && !itemOf(item.key) ? ofPage(item.instance)
    : await client.readPost(item.instance);
  body.replaceChildren(
    text, make("p", { class: "quiet" }, [
      item.isOwn ? t("by.you") : authorName ? t("by", { name: authorName }) : t("by.hidden"), madeAt(post.post.created),
      post.post.edited ? t("post.edited") : "", t("post.ends", { time: madeAt(post.post.expires) }),
    ].filter(Boolean).join(" · ")),
    voteButtons(item.instance, post.post, ownVote, actions.includes("vote"),
      () => drawInstance(body, item.key, item, drawPost), (vote) => askToVote(body, item, vote)),
    make("div", { class: "row" },
      actions.includes("edit_post") && make("button", { type: "button", onclick: () => editPost(post) }, t("edit")),
      actions.includes("remove_post") && action(t("remove"), () => removePost(post), "danger quiet-danger"),
      !item.isOwn && authorName && isSignedIn() && blocking(t("block.by", { name: authorName }), authorName)));
}

/**
 * A guest has touched a vote: what it needs is said there, and it goes on by itself.
 * @param {HTMLElement} body
 * @param {Item} item
 * @param {1 | -1} vote
 */
function askToVote(body, item, vote) {
  const { id, cell } = item.instance, data = { id, cell, vote };
  askToEnter(body, item, { why: t("vote.guest"), begun: { name: "vote", data }, then: () => goOnVoting(data) });
}

/**
 * Goes on with the vote that a guest has begun, and shows it.
 * @param {{id: string, cell: string, vote: 1 | -1}} begun
 */
export async function goOnVoting({ id, cell, vote }) {
  const isCurrent = ticket();
  await inView(cell);
  await client.request("vote", { post: id, cell, vote });
  await showDone(id, t("voted"), isCurrent);
}

/**
 * An own post that is not in view, which the server reads to nobody: what the list of own posts said.
 * @param {any} post
 */
function ofPage(post) {
  const isEditable = Number(post.post.editableUntil ?? 0) > client.serverNow();
  return { post, ownVote: 0, actions: ["remove_post", ...(isEditable ? ["edit_post"] : [])], authorName: "" };
}
