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

/** The page says what it was made of. */
self.addEventListener("message", (event) => {
  const wanted = (event.data?.shell ?? []).filter((path) => typeof path === "string" && path.startsWith("/play/"));
  event.waitUntil(caches.open(NAME).then((cache) => Promise.all(wanted.map(async (path) => {
    if (!(await cache.match(path))) await cache.add(path).catch(() => {});
  }))));
});

/** The newest from the network; what is kept only where there is none. */
async function fetched(request) {
  const cache = await caches.open(NAME);
  try {
    const answer = await fetch(request);
    if (answer.ok && answer.type === "basic") await cache.put(request, answer.clone());
    return answer;
  } catch (error) {
    const kept = await cache.match(request, { ignoreSearch: request.mode === "navigate" });
    if (kept) return kept;
    throw error;
  }
}

self.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== location.origin) return;
  if (pathname === "/play" || pathname.startsWith("/play/")) event.respondWith(fetched(event.request));
});
