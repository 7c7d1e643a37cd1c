// What lies over the page and is closed by the browser's Back: the sheet, and questions above it. Each has an entry of
// its own in the browser's history, with the same address. An entry whose layer was closed in another way stays, and
// is passed over: going back later to take it away would race with going elsewhere.

/** @type {{at: number, close: () => void}[]} what is open, the lowest first */
const open = [];

/** The entry of the history that is shown: its number, and whether it was made for a layer. */
let here = { at: 0, isLayer: false };
/**
 * Why the page itself moves on, past entries whose layer is closed: the person came to one of them, or left one.
 * @type {"" | "come" | "leave"}
 */
let passing = "";
/**
 * Whether the page itself goes back and the browser has not done so yet: what opens until then would get the entry that
 * is about to be left, and be closed with it.
 */
let isGoing = false;
/** The number of a layer that has no entry yet. */
const NONE = -1;

function isOpen(/** @type {{at: number}} */ { at }) {
  return open.some((layer) => layer.at === at);
}

/** The number of an entry for a layer: that of the present one if it is left over, else of a new one. */
function entry() {
  if (!(here.isLayer && !isOpen(here))) {
    here = { at: here.at + 1, isLayer: true };
    history.pushState(here, "");
  }
  return here.at;
}

/**
 * Something is open that Back closes, before all that was open before.
 * @param {() => void} close
 * @returns {() => void} call it when it is closed in another way
 */
export function opened(close) {
  const layer = { at: isGoing ? NONE : entry(), close };
  open.push(layer);
  return () => {
    if (open.includes(layer)) open.splice(open.indexOf(layer), 1);
  };
}

/** The history has moved: by Back or Forward, or to a new address. */
function moved() {
  const from = here, before = passing;
  passing = "";
  isGoing = false;
  if (history.state?.at === undefined) {
    here = { at: from.at + 1, isLayer: false };
    history.replaceState(here, "");
    return;
  }
  here = { at: history.state.at, isLayer: history.state.isLayer };
  if (here.at !== from.at) step(from, before);
  if (!isGoing) for (const layer of open) if (layer.at === NONE) layer.at = entry();
}

/**
 * Closes what the step from an entry to the present one leaves, or passes over an entry whose layer is closed.
 * @param {{at: number, isLayer: boolean}} from
 * @param {"" | "leave" | "come"} before
 */
function step(from, before) {
  const isBack = here.at < from.at;
  const left = open.filter(({ at }) => isBack && at > here.at).reverse();
  for (const layer of left) {
    open.splice(open.indexOf(layer), 1);
    layer.close();
  }
  if (left.length > 0) return;
  // An entry without its layer looks like the one below it: neither coming to it nor leaving it is a step to a person.
  const why = before || (isBack && from.isLayer ? "leave" : "come");
  const isLeftOver = here.isLayer && !isOpen(here);
  if (!isLeftOver && why === "come") return;
  if (isBack && isLeftOver) passing = why;
  // Below the first entry the page ends: nothing comes of a step there that the page would hear of.
  isGoing = isBack && here.at > 0;
  if (isBack) history.back();
  else history.forward();
}

/** What is still open at a new address gets an entry there. */
function reopen() {
  const [lowest] = open;
  if (!lowest || here.isLayer) return;
  for (const layer of open.splice(0)) {
    layer.at = entry();
    open.push(layer);
  }
}

/** Follows the browser's history. To be called when what closes layers at a new address listens already. */
export function followHistory() {
  if (history.state?.at === undefined) history.replaceState(here, "");
  else here = { at: history.state.at, isLayer: history.state.isLayer };
  addEventListener("popstate", moved);
  addEventListener("hashchange", reopen);
}
