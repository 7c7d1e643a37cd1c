// @ts-check
import { Refusal } from './refusal.js';

/**
 * Uploads a picture, a recording or the GeoJSON of a tour in chunks and goes on where an earlier upload of the same bytes was cut off, also one of another
 * connection or page (OBJ-12).
 * @param {import('./client.js').CairnClient} client @param {Uint8Array} bytes
 * @param {(done: number) => void} [progress] called with the number of bytes that have arrived
 * @returns {Promise<string>} the asset's id
 */
export async function upload(client, bytes, progress = () => {}) {
    const sha256 = new Uint8Array(await crypto.subtle.digest('SHA-256', /** @type {any} */ (bytes)));
    const begin = { sha256, length: BigInt(bytes.length) };
    let state = await client.request('beginUpload', begin);
    while (!state.asset) {
        const offset = Number(state.offset);
        if (offset > bytes.length || state.chunkBytes === 0) {
            throw new Refusal({ code: 'internal', message: 'an upload cannot go on', component: 'client' });
        }
        progress(offset);
        const data = bytes.subarray(offset, offset + state.chunkBytes);
        try {
            state = await client.request('uploadChunk', { upload: state.upload, offset: state.offset, data });
        } catch (error) {
            // The last chunk was sent twice over a cut, and the first one completed the asset; or the upload's time is
            // over.
            if (!(error instanceof Refusal) || error.code !== 'not_found') throw error;
            state = await client.request('beginUpload', begin);
        }
    }
    progress(bytes.length);
    return state.asset;
}
