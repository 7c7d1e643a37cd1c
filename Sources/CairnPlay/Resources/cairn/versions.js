// @ts-check

/** Longest wait for what a server says of the library that it serves. */
const ANSWER_MAX_MS = 3_000;

/**
 * The version of the protocol that a server speaks, as the library says that it serves. A server that takes no socket
 * of this client's protocol can say it in no other way: a page cannot read why a socket was refused.
 * @param {string} url address of the socket @returns {Promise<number | null>} null = it cannot be found out
 */
export async function spokenBy(url) {
    const { origin } = new URL(url.replace(/^ws/, 'http'));
    const limit = new AbortController();
    const late = setTimeout(() => limit.abort(), ANSWER_MAX_MS);
    try {
        const asked = { signal: limit.signal, cache: /** @type {const} */ ('no-cache') };
        const answer = await fetch(`${origin}/play/cairn/package.json`, asked);
        const protocol = answer.ok ? (await answer.json()).cairn?.protocol : null;
        return Number.isInteger(protocol) ? protocol : null;
    } catch {
        return null;
    } finally {
        clearTimeout(late);
    }
}
