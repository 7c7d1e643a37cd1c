// The service worker: keeps the shell of the page, and nothing else, so that it opens without a network. What the
// server answers over the socket, and what belongs to a person, never passes through here.

const NAME = "cairn-play-shell-1";
const SHELL = ["/play"];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(SHELL)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(caches.keys()
    .then((names) => Promise.all(names.filter((name) => name !== NAME).map((name) => caches.delete(name))))
    .then(() => self.clients.claim()));
});

/** The files of the page with the tag of their present state, by their paths; none where it is not to be had. */
async function listed() {
  try {
    const answer = await fetch("/play/files.json", { cache: "no-store" });
    return answer.ok ? await answer.json() : {};
  } catch {
    return {};
  }
}

/** As it was when a page was last opened: its files are those of one state. */
let listing = null;

/** Whether a kept answer has the state that is listed. The tag of a packed answer says that it is packed. */
function isListed(kept, tag) {
  return Boolean(kept && tag) && kept.headers.get("ETag")?.replace(/^"|(-gzip|-br)?"$/g, "") === tag;
}

/** Parts of the shell that are no part of the page for players. */
const OTHERS = /^\/play\/(two[./]|cairn\/|texts\/|lib\/(images|licences)|built\/([^/]+\/(parts|pieces)\.|index))/;

/** Files that never change: their folder is named by what is in it. */
const BUILT = "/play/built/";

/** The page is open and has time: the rest of its files is fetched, and what it names beside them. */
self.addEventListener("message", (event) => {
  const named = (event.data?.shell ?? []).filter((path) => typeof path === "string" && path.startsWith("/play/"));
  event.waitUntil(keep(named));
});

async function keep(named) {
  const [cache, tags] = await Promise.all([caches.open(NAME), listed()]);
  const wanted = new Set([...named, ...Object.keys(tags).filter((path) => !OTHERS.test(path))]);
  await Promise.all([...wanted].map(async (path) => {
    const kept = await cache.match(path);
    if (!(kept && (!tags[path] || isListed(kept, tags[path])))) await cache.add(path).catch(() => {});
  }));
  await forget(cache, wanted, tags);
}

/** Forgets what no longer belongs to the page, unless another one is open, which may be an older one. */
async function forget(cache, wanted, tags) {
  if (Object.keys(tags).length === 0 || (await self.clients.matchAll({ type: "window" })).length > 1) return;
  for (const request of await cache.keys()) {
    const { pathname, search } = new URL(request.url);
    const isOld = pathname.startsWith(BUILT) ? !wanted.has(pathname) : pathname === "/play" && search !== "";
    if (isOld) await cache.delete(request);
  }
}

/** What has not changed from the cache, the rest from the network; without one what is kept. */
async function fetched(request) {
  const cache = await caches.open(NAME);
  const isPage = request.mode === "navigate";
  // One document for every link to the page: it is the newest, and keeps no place that a link names.
  const kept = isPage ? new URL(request.url).pathname : request;
  // Together with the page itself, so that no time passes with asking for it.
  if (isPage || !listing) listing = listed();
  try {
    if (!isPage) {
      const found = await cache.match(kept), { pathname } = new URL(request.url);
      if (found && (pathname.startsWith(BUILT) || isListed(found, (await listing)[pathname]))) return found;
    }
    const answer = await fetch(request);
    if (answer.ok && answer.type === "basic") await cache.put(kept, answer.clone());
    return answer;
  } catch (error) {
    const found = await cache.match(kept);
    if (found) return found;
    throw error;
  }
}

self.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== location.origin) return;
  if (pathname === "/play" || pathname.startsWith("/play/")) event.respondWith(fetched(event.request));
});
