// The connection, as the person is told of it: why the page is cut off, and what the server has to say to all.

import { client, isSignedIn, keepsNothing, leaving, tell } from "../core/app.js";
import { given } from "../core/extensions.js";
import { span, t } from "../core/texts.js";
import { later } from "../components/later.js";
import { refuse, say, toast } from "../components/message.js";

const showSuspended = later(async () => (await import("./suspended.js")).showSuspended);

/**
 * What keeps the page from being connected is said until it is.
 * @type {{remove: () => void} | null}
 */
let told = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let again;
/** Whether `connect` waits, which tells itself why it fails. */
let isConnecting = false;
/** Whether the server speaks a newer version of the protocol than the page, when it speaks another one. */
let isNewer = false;
/**
 * That the device stores nothing is said until it does again.
 * @type {{remove: () => void} | null}
 */
let unkept = null;

/** Follows the client. */
export function followConnection() {
  /** @type {any} why the server did not greet when the page came back by itself, or what it said at the end */
  let refusal = null;
  let isCutOff = false;
  client.on("state", () => {
    tell("state");
    if (!client.isLive) return;
    stopped(null);
    // In place of what was said of the cut.
    if (isCutOff) say(t("state.live"));
    isCutOff = false;
  });
  client.on("notice", (/** @type {any} */ { text }) => toast(`${t("notice")}: ${text}`, { seconds: 30, isNews: true }));
  client.on("answered", (/** @type {any} */ { refusal: no }) => (no ? refuse(no) : toast(t("answered"))));
  client.on("refused", (/** @type {any} */ one) => {
    if (client.isLive) refuse(one);
    else refusal = one;
  });
  client.on("closing", (/** @type {any} */ one) => { refusal ??= one; });
  client.on("disconnected", (/** @type {any} */ { after, reason, code }) => {
    const why = refusal;
    refusal = null;
    if (after > 3000) {
      isCutOff = true;
      say(t("disconnected.after", { time: span(after) }));
    }
    if (after != null || isConnecting) return;
    // The reason is in what the next hello is refused with.
    if (code === SUSPENDED && why?.component === undefined) connect();
    else stopped(why ?? { code: "ended", message: t("disconnected", { reason: reason || code }) });
  });
  client.on("signedOut", () => { if (!leaving.is) toast(t("signedOut"), { kind: "bad", seconds: 20 }); });
  client.on("unsupported", (/** @type {any} */ { client: own, server }) => { isNewer = server > own; });
  client.on("kept", (/** @type {any} */ { isKept }) => {
    if (isKept) {
      unkept?.remove();
      unkept = null;
      toast(t("kept.again"));
    } else unkept ??= toast(t("kept.not"), { kind: "bad", seconds: Infinity });
  });
  client.on("error", failed);
  // What waits is counted while there is no connection.
  client.on("queued", () => { if (!client.isLive) tell("state"); });
  client.on("replaced", () => toast(t("replaced"),
    { seconds: 60, action: reload() }));
}

function reload() {
  return { text: t("reload"), run: () => location.reload() };
}

/**
 * A part of the page has thrown, which is said once. What the browser does not store is told by `kept`, what the server
 * refuses by whoever has asked.
 * @param {unknown} error
 */
function failed(error) {
  if (error instanceof DOMException || /** @type {any} */ (error)?.component) {
    console.warn(error);
    return;
  }
  console.error(error);
  toast(t("page.failed"), { kind: "bad", action: reload(), once: "failed" });
}

/** Close code of an account that was suspended. */
const SUSPENDED = 4200;

/**
 * The page is not connected any more, and why; or it is again.
 * @param {any} refusal
 */
function stopped(refusal) {
  clearTimeout(again);
  told?.remove();
  told = null;
  if (refusal?.code === "account_suspended") showSuspended(refusal, connect);
  else if (refusal?.code === "unsupported_version") {
    // A page that is loaded again is the one that the server has.
    told = refuse({ code: refusal.code, about: isNewer ? "page" : "server" },
      isNewer ? reload() : { text: t("retry"), run: connect });
  } else if (refusal) told = refuse(refusal, { text: t("retry"), run: connect });
  // What passes is tried again without a tap.
  if (refusal?.isPassing) again = setTimeout(connect, (refusal.retryAfter ?? 5000) * (1 + Math.random()));
}

/** Connects, and tries again while there is no network. */
export async function connect() {
  clearTimeout(again);
  isConnecting = true;
  try {
    await client.connect();
  } catch (refusal) {
    if (/** @type {any} */ (refusal).code !== "unreachable") {
      stopped(refusal);
      return;
    }
    for (const show of given("unreachable")) await show();
    again = setTimeout(connect, 3000 + Math.random() * 2000);
  } finally {
    isConnecting = false;
  }
}

let isWarned = false;

/** Says to a person once what does not work where the browser keeps nothing. */
export function warn() {
  if (isWarned || !keepsNothing || !isSignedIn()) return;
  isWarned = true;
  toast(t("keepsNothing"), { kind: "bad", seconds: 60, once: "keepsNothing" });
}
