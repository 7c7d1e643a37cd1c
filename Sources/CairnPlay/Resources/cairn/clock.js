// @ts-check

/** A sample older than this counts for less than a new one, however short its round trip was. */
const SAMPLE_LIVES_MS = 600_000;

/**
 * How far the device's clock is from the server's. Each welcome gives a sample: the server's time at about the middle
 * of the round trip. The sample with the shortest round trip counts, because its middle is the surest.
 */
export class ClockOffset {
    constructor() {
        /** Milliseconds to add to the device's clock. */
        this.offset = 0;
        /** Half of the round trip: the offset is off by at most this. Infinity = nothing is known. */
        this.uncertainty = Infinity;
        this.takenAt = -Infinity;
    }

    /**
     * @param {number} serverTime milliseconds since 1970 @param {number} sent the device's time @param {number} got
     * the device's time
     */
    sample(serverTime, sent, got) {
        const uncertainty = Math.max(0, got - sent) / 2;
        const isOld = Math.abs(got - this.takenAt) > SAMPLE_LIVES_MS;
        // A clock that was set in between makes a round trip that cannot be.
        if (got < sent || (uncertainty > this.uncertainty && !isOld)) return;
        this.offset = serverTime - (sent + got) / 2;
        this.uncertainty = uncertainty;
        this.takenAt = got;
    }

    /**
     * Milliseconds since 1970 by the server's clock.
     * @param {number} device the device's time
     */
    serverNow(device) { return device + this.offset; }
}
