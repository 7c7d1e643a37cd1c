// Opus from one container into another: browsers of the Chromium family record it in WebM (Matroska) alone, and the
// server takes it in Ogg (RFC 3533, RFC 7845). The sound itself is not touched.

/** What the elements of Matroska are called that lead to the packets. */
const SEGMENT = 0x18538067, TRACKS = 0x1654ae6b, TRACK = 0xae, CODEC_PRIVATE = 0x63a2, CLUSTER = 0x1f43b675;
const SIMPLE_BLOCK = 0xa3, BLOCK_GROUP = 0xa0, BLOCK = 0xa1;
/** Those that hold others. */
const HOLDERS = new Set([SEGMENT, TRACKS, TRACK, CLUSTER, BLOCK_GROUP]);
/** Samples of a frame, at 48 kHz, by the first five bits of a packet (RFC 6716, 3.1). */
const FRAMES = [...Array(3).fill([480, 960, 1920, 2880]).flat(), ...Array(2).fill([480, 960]).flat(),
  ...Array(4).fill([120, 240, 480, 960]).flat()];
/** Most samples on a page: a second. */
const PAGE_SAMPLES = 48_000;
/** Most segments on a page. */
const SEGMENTS_MAX = 255;

/**
 * A number of Matroska: the first byte says how many there are.
 * @param {Uint8Array} bytes
 * @param {number} at
 * @param {boolean} isName names keep the bit that says the length
 */
function number(bytes, at, isName) {
  const length = Math.clz32(bytes[at]) - 23;
  let value = isName ? bytes[at] : bytes[at] & (0xff >> length), isUnknown = value === 0xff >> length;
  for (let n = 1; n < length; n += 1) {
    value = value * 256 + bytes[at + n];
    isUnknown &&= bytes[at + n] === 0xff;
  }
  return { value: isUnknown && !isName ? Infinity : value, end: at + length };
}

/**
 * The head and the packets of the Opus stream of a WebM file that a browser has recorded: one track, no lacing.
 * @param {Uint8Array} bytes
 */
function packetsOf(bytes) {
  /** @type {Uint8Array | null} */
  let head = null;
  /** @type {Uint8Array[]} */
  const packets = [];
  let at = 0;
  while (at < bytes.length) {
    const name = number(bytes, at, true), size = number(bytes, name.end, false);
    at = size.end;
    // Elements of which the length is not known, as of a recording that goes on, are only ever those that hold others.
    if (HOLDERS.has(name.value)) continue;
    const body = bytes.subarray(at, Math.min(bytes.length, at + size.value));
    if (name.value === CODEC_PRIVATE) head = body;
    else if (name.value === SIMPLE_BLOCK || name.value === BLOCK) {
      // The number of the track, a time of two bytes, and flags.
      packets.push(body.subarray(number(body, 0, false).end + 3));
    }
    at += size.value;
  }
  if (!head || new TextDecoder().decode(head.subarray(0, 8)) !== "OpusHead" || packets.length === 0) {
    throw new Error("no recording of Opus");
  }
  return { head, packets };
}

/**
 * Samples of a packet, at 48 kHz.
 * @param {Uint8Array} packet
 */
function samplesOf(packet) {
  const [first, second = 0] = packet;
  return FRAMES[first >> 3] * [1, 2, 2, second & 0x3f][first & 3];
}

const CRCS = Uint32Array.from({ length: 256 }, (_, index) => {
  let crc = index << 24;
  for (let bit = 0; bit < 8; bit += 1) crc = (crc << 1) ^ (crc < 0 ? 0x04c11db7 : 0);
  return crc;
});

/**
 * A page of Ogg.
 * @param {{flags: number, samples: number, number: number, packets: Uint8Array[]}} content
 */
function page({ flags, samples, number, packets }) {
  const table = packets.flatMap(({ length }) => [...Array(Math.floor(length / 255)).fill(255), length % 255]);
  const size = packets.reduce((sum, { length }) => sum + length, 0);
  const bytes = new Uint8Array(27 + table.length + size), view = new DataView(bytes.buffer);
  bytes.set(new TextEncoder().encode("OggS"));
  bytes[5] = flags;
  view.setBigUint64(6, BigInt(samples), true);
  view.setUint32(14, 1, true);
  view.setUint32(18, number, true);
  bytes[26] = table.length;
  bytes.set(table, 27);
  let at = 27 + table.length;
  for (const packet of packets) {
    bytes.set(packet, at);
    at += packet.length;
  }
  let crc = 0;
  for (const byte of bytes) crc = (crc << 8) ^ CRCS[(crc >>> 24) ^ byte];
  view.setUint32(22, crc >>> 0, true);
  return bytes;
}

/**
 * A recording of Opus in Ogg in place of one in WebM.
 * @param {Uint8Array} webM
 * @returns {Uint8Array}
 */
export function oggOf(webM) {
  const { head, packets } = packetsOf(webM);
  const comments = new Uint8Array(16);
  comments.set(new TextEncoder().encode("OpusTags"));
  const pages = [page({ flags: 2, samples: 0, number: 0, packets: [head] }),
    page({ flags: 0, samples: 0, number: 1, packets: [comments] })];
  let samples = 0, begun = 0, segments = 0;
  /** @type {Uint8Array[]} */
  let waiting = [];
  for (const [n, packet] of packets.entries()) {
    waiting.push(packet);
    samples += samplesOf(packet);
    segments += Math.floor(packet.length / 255) + 1;
    const isLast = n === packets.length - 1;
    const next = isLast ? 0 : Math.floor(packets[n + 1].length / 255) + 1;
    if (!isLast && samples - begun < PAGE_SAMPLES && segments + next <= SEGMENTS_MAX) continue;
    pages.push(page({ flags: isLast ? 4 : 0, samples, number: pages.length, packets: waiting }));
    [waiting, begun, segments] = [[], samples, 0];
  }
  const whole = new Uint8Array(pages.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const one of pages) {
    whole.set(one, at);
    at += one.length;
  }
  return whole;
}
