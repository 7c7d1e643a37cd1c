// Posts, for the register: their details, writing one, and the lists of trending and own ones.

import { cellAt } from "../../cairn/geo.js";
import { limits } from "../core/app.js";
import { make } from "../core/page.js";
import { own } from "../core/place.js";
import { t } from "../core/texts.js";
import { itemAt } from "../core/view.js";
import { later, opener } from "../components/later.js";

/**
 * A post of a page that the server gave, which need not be in view.
 * @param {any} post
 */
function itemOf(post) {
  return itemAt("post", post.id, post, { ...post.post.place, h: null });
}

const writePost = opener(async () => (await import("./posts.js")).writePost);
const removePost = later(async () => (await import("./posts.js")).removePost);
const postPages = later(async () => (await import("./posts.js")).postPages);

/** The cell that the user is in. */
function ownCell() {
  const here = own();
  return here ? cellAt(here, limits().cellLevel ?? 16) : null;
}

/** @type {import("../core/extensions.js").Feature} */
export const posts = {
  name: "posts",
  kinds: { post: {
    open: opener(async () => (await import("./details.js")).openPost),
    title: ({ instance }) => instance.text,
    note: ({ instance }) => `${t("score")} ${instance.post.score ?? 0}`,
    swipe: ({ isOwn, instance }) => (isOwn ? () => removePost(instance) : null),
    drawing: () => "post",
    size: ({ instance }) => instance.post?.size ?? 1,
    lift: ({ instance }) => 2 * Math.max(0.5, instance.post?.size ?? 1),
    stance: "facing",
  } },
  drawings: { post: { path: "M4 4h16v11.500H11L6.500 20v-4.500H4zM8 8.500h8M8 11.500h5" } },
  additions: [{ text: "post.new", glyph: "post", run: () => writePost() }],
  tabs: [
    { name: "trending", needsAccount: true, draw: async (pick) =>
      (ownCell() ? postPages("listTrendingPosts", {}, (post) => pick(itemOf(post)))
        : make("p", { class: "quiet" }, t("where.unknown"))) },
    { name: "mine", needsAccount: true, draw: (pick) => postPages("listOwnPosts", {}, (post) =>
      pick({ ...itemOf(post), isOwn: true })) },
  ],
  begun: {
    post: later(async () => (await import("./posts.js")).goOnPosting),
    vote: later(async () => (await import("./details.js")).goOnVoting),
  },
  shapes: async () => (await import("./shapes.js")).shapes,
};
