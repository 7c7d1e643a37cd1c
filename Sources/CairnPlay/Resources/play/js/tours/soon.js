// Waiting for the server a little, where what is sent is kept all the same.

/** So long the editor waits for an answer before it goes on without it. */
const PATIENCE_MS = 2_000;

/**
 * Waits for what is sent, but not for a network that is gone.
 * @param {Promise<any>} sending
 */
export function soon(sending) {
  return Promise.race([sending.catch(() => {}), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
}
