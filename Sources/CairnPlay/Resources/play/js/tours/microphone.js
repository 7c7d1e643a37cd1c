// Recording by the microphone, in a container that the server takes.

import { make, write } from "../core/page.js";
import { span, t } from "../core/texts.js";
import { oggOf } from "./opus.js";

/**
 * What browsers record, best first, and how it becomes what the server takes: Opus, and where there is only MP4, as of
 * Safari, AAC.
 * @type {[string, (bytes: Uint8Array) => Uint8Array][]}
 */
const FORMATS = [
  ["audio/ogg;codecs=opus", (bytes) => bytes],
  ["audio/webm;codecs=opus", oggOf],
  ["audio/mp4;codecs=mp4a.40.2", (bytes) => bytes],
];
/** Enough for a voice. */
const BITS_PER_SECOND = 32_000;
/** A longer history is a file that was made elsewhere. */
const LONGEST_MS = 600_000;

/** The format that this browser records, if there is one. */
function format() {
  return FORMATS.find(([name]) => globalThis.MediaRecorder?.isTypeSupported(name));
}

/** Whether a microphone can be recorded here. */
export function canRecord() {
  return Boolean(navigator.mediaDevices && format());
}

/**
 * A button that begins a recording and ends it.
 * @param {HTMLElement} state says how long it has become, and what is wrong
 * @param {(bytes: Uint8Array) => Promise<any>} take gets the recording
 */
export function recordButton(state, take) {
  /** @type {(() => void) | null} */
  let end = null;
  const button = make("button", { type: "button", "aria-pressed": "false", onclick: async () => {
    if (end) {
      end();
      return;
    }
    button.disabled = true;
    try {
      const recording = await record((ms) => write(state, span(ms)), () => button.isConnected);
      end = recording.end;
      button.disabled = false;
      named(true);
      const bytes = await recording.bytes;
      if (bytes) await take(bytes);
    } catch (error) {
      const isDenied = /** @type {any} */ (error).name === "NotAllowedError";
      write(state, t(isDenied ? "tour.record.denied" : "tour.record.none"));
    }
    end = null;
    button.disabled = false;
    named(false);
  } });
  const named = (/** @type {boolean} */ isOn) => {
    button.setAttribute("aria-pressed", String(isOn));
    write(button, t(isOn ? "tour.record.end" : "tour.record"));
  };
  named(false);
  return make("div", { class: "row" }, button);
}

/**
 * Begins to record.
 * @param {(ms: number) => void} tell how long it has become
 * @param {() => boolean} isWanted a recording for which nobody is left is dropped
 * @returns {Promise<{end: () => void, bytes: Promise<Uint8Array | null>}>}
 */
async function record(tell, isWanted) {
  const [name, convert] = /** @type {NonNullable<ReturnType<typeof format>>} */ (format());
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  const recorder = new MediaRecorder(stream, { mimeType: name, audioBitsPerSecond: BITS_PER_SECOND });
  /** @type {Blob[]} */
  const parts = [];
  recorder.addEventListener("dataavailable", ({ data }) => parts.push(data));
  const began = performance.now();
  recorder.start();
  tell(0);
  const end = () => { if (recorder.state !== "inactive") recorder.stop(); };
  const clock = setInterval(() => {
    const ms = performance.now() - began;
    if (!isWanted() || ms > LONGEST_MS) end();
    else tell(ms);
  }, 500);
  const bytes = new Promise((/** @type {(bytes: Uint8Array | null) => void} */ resolve, reject) => {
    recorder.addEventListener("error", reject);
    recorder.addEventListener("stop", async () => {
      try {
        const whole = new Uint8Array(await new Blob(parts).arrayBuffer());
        resolve(isWanted() ? convert(whole) : null);
      } catch (error) {
        reject(error);
      }
    });
  }).finally(() => {
    clearInterval(clock);
    for (const track of stream.getTracks()) track.stop();
  });
  return { end, bytes };
}
