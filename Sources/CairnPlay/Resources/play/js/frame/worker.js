// The service worker, which keeps the shell: the files of the page, and the ground as this visit has seen it.

/** After how long the service worker is told the files of the page a second time. */
const AGAIN_MS = 10_000;

/** Has it keep the shell. */
export async function keepShell() {
  if (!("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register("/play/sw.js", { scope: "/play" });
    const { active } = await navigator.serviceWorker.ready;
    const keep = () => {
      const files = performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname);
      active?.postMessage({ shell: files.filter((path) => path.startsWith("/play/")) });
    };
    keep();
    // What is asked for before the worker has taken the page over does not pass through it, and what the server refuses
    // in a busy moment is asked for again.
    setTimeout(keep, AGAIN_MS);
  } catch {
    // Without it the page needs the network to open, and nothing else changes.
  }
}
