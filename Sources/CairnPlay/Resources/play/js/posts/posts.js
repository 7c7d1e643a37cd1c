// Posts: writing one where the user stands, its edit window, votes, trending ones and one's own (PST, RCT-3).

import { cellAt } from "../../cairn/geo.js";
import { client, isSignedIn, limits } from "../core/app.js";
import { inView } from "../core/begun.js";
import { icon, make } from "../core/page.js";
import { picked } from "../core/picked.js";
import { own } from "../core/place.js";
import { moment, t } from "../core/texts.js";
import { itemAt } from "../core/view.js";
import { act } from "../components/button.js";
import { confirmed } from "../components/dialog.js";
import { textField } from "../components/form.js";
import { line, pages } from "../components/list.js";
import { say, toast } from "../components/message.js";
import { closeSheet, closeSheetOf, sheetKind } from "../components/sheet.js";
import { openForm } from "../components/sheetform.js";
import { letSwipe } from "../components/swipe.js";
import { showItem } from "../map/show.js";
import { takeTaps } from "../map/taps.js";
import { publicly } from "../things/audience.js";
import { placeWords } from "../things/editor.js";

/**
 * The text of a post that was closed and neither sent nor cancelled: it is there when the same person begins the next
 * one, or whoever a guest has become.
 */
let unsent = { of: "", text: "" };

/** Whose text it is; empty = a guest's. */
function writer() {
  return client.welcome?.account ?? "";
}

/**
 * Opens the sheet for a new post, or for the text of an own one.
 * @param {any} [post]
 */
export function writePost(post) {
  const of = writer(), text = ["", of].includes(unsent.of) ? unsent.text : "";
  const { field, element } = textField(t("post.text"), limits().postCharacters ?? 280, post?.text ?? text);
  /** The words go to another spot, on a flag; they are here again if that is not placed. */
  const leave = (/** @type {{lat: number, lon: number} | undefined} */ place) => {
    const words = field.value;
    closeSheet();
    placeWords(words, place, (isPlaced) => { unsent = { of, text: isPlaced ? "" : words }; });
  };
  /** @type {{remove: () => void} | undefined} goes with the sheet: its words are not there any more */
  let offer;
  const endTaps = post ? () => {} : takeTaps((place) => {
    // One that still waits to be shown would stay, with nothing left that takes it back.
    offer?.remove();
    offer = toast(t("post.here"), { seconds: 15, action: { text: t("post.elsewhere"), run: () => leave(place) } });
  });
  openForm(t(post ? "post.edit" : "post.new"), {
    kind: "post", button: t(post ? "save" : "post.send"), done: t(post ? "post.changed" : "post.made"),
    fields: [element, make("p", { class: "quiet" }, post ? t("post.editable", { time: moment(post.post.editableUntil) })
      : publicly(t("post.about", { minute: limits().postsPerMinute ?? 0, day: limits().postsPerDay ?? 0 }))),
    ...(post ? [] : [make("p", {}, make("button", { type: "button", onclick: () => leave() }, t("post.elsewhere")))])],
    send: () => (post ? client.editPost(post, field.value) : client.createPost(field.value)),
    show: post ? undefined : showPost,
    guest: () => ({ why: t("post.guest"), ready: () => ownCellInView(), begun: { name: "post", data: field.value },
      reopen: () => writePost() }),
    cancel: () => { field.value = ""; },
    closed: (isSent) => {
      endTaps();
      offer?.remove();
      if (!post) unsent = { of, text: isSent ? "" : field.value };
    },
  });
  field.focus();
}

/** Waits until the server shows the person the ground that they stand on. */
async function ownCellInView() {
  const here = own();
  if (here) await inView(cellAt(here, limits().cellLevel ?? 16));
}

/**
 * Goes on with the post that a guest has begun. Where their own place is not known after a reload, it would be left
 * where they only looked: they send it again themselves.
 * @param {string} text
 */
export async function goOnPosting(text) {
  unsent = { of: writer(), text };
  if (!own()) {
    writePost();
    return;
  }
  await ownCellInView();
  const post = await client.createPost(text);
  unsent = { of: "", text: "" };
  toast(t("post.made"), { action: { text: t("show.it"), run: () => showPost(post) } });
}

/** @param {any} post that was made */
function showPost(post) {
  return showItem(itemAt("post", post.id, post, { ...post.post.place, h: null }));
}

/** @param {any} post */
export function editPost(post) {
  writePost(post);
}

/**
 * Removes an own post after a question.
 * @param {any} post
 * @param {Element} [shown] the line of it, which goes with it
 */
export async function removePost(post, shown) {
  if (!(await confirmed(t("remove.ask", { what: post.text }), t("remove")))) return;
  await client.removePost(post);
  shown?.remove();
  if (picked === post.id && sheetKind() === "details") closeSheet();
  toast(t("removed"));
}

/**
 * The score with the buttons to vote.
 * @param {any} instance
 * @param {any} post
 * @param {number} own
 * @param {boolean} may
 * @param {() => Promise<any>} redraw
 * @param {(vote: 1 | -1) => void} ask asks a guest for an account
 */
export function voteButtons(instance, post, own, may, redraw, ask) {
  const trouble = make("div");
  const send = async (/** @type {1 | -1} */ vote) => {
    const set = await client.vote(instance, own === vote ? 0 : vote);
    if (!set.hidden) {
      await redraw();
      say(t(own === vote ? "unvoted" : "voted"));
      const details = `.details[data-key="${CSS.escape(instance.id)}"]`;
      /** @type {HTMLElement | null} */ (document.querySelector(`${details} [data-vote="${vote}"]`))?.focus();
      return;
    }
    closeSheetOf(trouble);
    toast(t("post.hidden"));
  };
  const button = (/** @type {1 | -1} */ vote, /** @type {"up" | "down"} */ name) => make("button", {
    type: "button", class: "round", "data-vote": vote, disabled: !may && isSignedIn(),
      "aria-pressed": String(own === vote), "aria-label": t(`vote.${name}`),
    onclick: (/** @type {any} */ { currentTarget }) => {
      if (!isSignedIn()) ask(vote);
      else act(currentTarget, () => send(vote), { place: trouble });
    },
  }, icon(name));
  return make("div", {}, make("div", { class: "row votes", role: "group", "aria-label": t("votes") },
    button(1, "up"), make("output", { class: "score", "aria-label": t("score") }, String(post.score ?? 0)),
      button(-1, "down"),
    make("span", { class: "quiet" }, t("post.reach", { metres: Math.round(post.reach ?? 0) }))), trouble);
}

/**
 * A list of posts that the server pages: one's own, or the trending ones of the view.
 * @param {"listOwnPosts" | "listTrendingPosts"} kind
 * @param {object} body
 * @param {(post: any) => void} onpick
 */
export function postPages(kind, body, onpick) {
  return pages(async (after) => {
    const page = await client.request(kind, { ...body, ...(after ? { after } : {}) });
    return { items: page.posts ?? [], next: page.next };
  }, (post) => {
    const item = make("li", {}, line({ title: post.text, onclick: () => onpick(post),
      note: `${t("score")} ${post.post.score ?? 0} · ${moment(post.post.created)}` }));
    const isOwn = kind === "listOwnPosts" || client.view.isOwn(post.id);
    if (isOwn) letSwipe(item, () => removePost(post, item));
    return item;
  }, t("posts.none")).element;
}
