// The connection, as the person is told of it: that something waits for the network, why the page is cut off, what the
// server has to say to all.

import { client, isCutOff, isSignedIn, keepsNothing, on, tell } from "../core/app.js";
import { given } from "../core/extensions.js";
import { words } from "../core/refusals.js";
import { span, t } from "../core/texts.js";
import { refuse, say, toast } from "../components/message.js";

/** How long something waits for the network before that is said: most cuts are shorter. */
const PATIENCE_MS = 1500;
let isPatient = false;

/** What is asked for without a network waits; once for each outage that is said. */
function needed() {
  if (isPatient || !isCutOff()) return;
  isPatient = true;
  const ended = new AbortController();
  const timer = setTimeout(() => { if (client.unansweredCount > 0) toast(t("offline.needs"), { seconds: 15 }); },
    PATIENCE_MS);
  on("state", () => {
    if (client.state !== "live") return;
    clearTimeout(timer);
    ended.abort();
    isPatient = false;
  }, ended.signal);
}

/** Follows the client. */
export function followConnection() {
  client.on("queued", needed);
  client.on("state", () => tell("state"));
  client.on("notice", (/** @type {any} */ notice) => toast(`${t("notice")}: ${notice.text}`, { seconds: 30 }));
  client.on("answered", (/** @type {any} */ { refusal: no }) => (no ? refuse(no) : toast(t("answered"))));
  // That the server is not reached is told as the end of the connection.
  const again = () => client.connect().catch((/** @type {any} */ no) => { if (no.code !== "unreachable") refuse(no); });
  /** @type {any} why the server did not greet when the page came back by itself */
  let refusal = null;
  client.on("refused", (/** @type {any} */ one) => { if (!client.isLive) refusal = one; });
  client.on("disconnected", (/** @type {any} */ { after, reason, code }) => {
    const why = refusal && words(refusal);
    refusal = null;
    if (after == null) toast(why ? `${why.text} ${why.remedy}` : t("disconnected", { reason: reason || code }),
      { kind: "bad", seconds: 30, action: { text: t("retry"), run: again } });
    else if (after > 3000) say(t("disconnected.after", { time: span(after) }));
  });
  client.on("signedOut", (/** @type {any} */ { message }) =>
    toast(message || t("signedOut"), { kind: "bad", seconds: 20 }));
  client.on("replaced", () => toast(t("replaced"),
    { seconds: 60, action: { text: t("reload"), run: () => location.reload() } }));
  client.on("refused", (/** @type {any} */ one) => { if (client.isLive) refuse(one); });
}

/** Connects, and tries again while there is no network. */
export async function connect() {
  try {
    await client.connect();
  } catch (refusal) {
    const code = /** @type {any} */ (refusal).code;
    if (code !== "unreachable") refuse(refusal, { text: t("retry"), run: connect });
    else {
      for (const show of given("unreachable")) await show();
      setTimeout(connect, 3000 + Math.random() * 2000);
    }
  }
}

let isWarned = false;

/** Says to a person once what does not work where the browser keeps nothing. */
export function warn() {
  if (isWarned || !keepsNothing || !isSignedIn()) return;
  isWarned = true;
  toast(t("keepsNothing"), { kind: "bad", seconds: 60 });
}
