// Opens the page, and has the document say a plain word where a script of it does not arrive: the server is busy (429,
// 503), or the network is gone. It imports nothing, so that it runs when the others do not.

/** How often the page loads itself again before it leaves that to the person. */
const RELOADS_MAX = 3;
const RELOADS = "cairn-play-reloads";

const words = /** @type {HTMLElement} */ (document.getElementById("opening"));

/** Leaves the words of the person's language alone; without this script the document has them in all. */
function speak() {
  const all = [...words.querySelectorAll("p")];
  const wanted = navigator.languages.map((one) => one.split("-")[0].toLowerCase())
    .find((one) => all.some(({ lang }) => lang === one)) ?? "en";
  for (const one of all) one.hidden = one.lang !== wanted;
  document.documentElement.lang = wanted;
  // Which the page reads when all its scripts are there.
  fetchAhead({ rel: "preload", as: "fetch", crossOrigin: "anonymous", href: `/play/texts/${wanted}.json` });
}

/** Has the browser fetch what the page needs later. */
function fetchAhead(/** @type {Partial<HTMLLinkElement>} */ what) {
  document.head.append(Object.assign(document.createElement("link"), what));
}

/** Shows the words, and loads the page again after a pause that grows. */
function failed(/** @type {unknown} */ error) {
  console.warn(error);
  words.dataset.failed = "";
  addEventListener("online", () => location.reload());
  const before = reloads();
  if (before >= RELOADS_MAX) return;
  countReloads(before + 1);
  setTimeout(() => location.reload(), 2000 * 2 ** before * (0.75 + Math.random() / 2));
}

/** How often the page has loaded itself again; often enough where the browser keeps nothing, so that it ends. */
function reloads() {
  try {
    return Number(sessionStorage.getItem(RELOADS));
  } catch {
    return RELOADS_MAX;
  }
}

/** @param {number} n */
function countReloads(n) {
  try {
    sessionStorage.setItem(RELOADS, String(n));
  } catch {
    // A browser that keeps nothing, by the person's choice.
  }
}

/** The connection, which the page takes over when it is there: a round trip to the server is long on a slow network. */
function openSocket() {
  return new WebSocket(`${location.origin.replace(/^http/, "ws")}/v1`, "cairn.v1.proto");
}

async function open() {
  try {
    const socket = openSocket();
    const { start } = await import("./main.js");
    // The map's library, not before: on a slow network the page connects while it arrives.
    fetchAhead({ rel: "modulepreload", href: "/play/lib/leaflet.js" });
    await start(socket);
    countReloads(0);
    words.remove();
  } catch (error) {
    failed(error);
  }
}

speak();
// From here on it is the network that is slow, until something fails.
words.dataset.begun = "";
words.addEventListener("click", (event) => {
  if (!(event.target instanceof HTMLAnchorElement)) return;
  event.preventDefault();
  location.reload();
});
open();
