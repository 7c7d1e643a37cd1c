// @ts-check

/**
 * When an app that sends positions at a fixed rate sends them (SES-8).
 *
 * The server asks for other moments (`positionsShifted`), so that positions of people who are near each other arrive
 * together and need not wait for each other.
 *
 * ```js
 * const timer = new PositionTimer(5);
 * client.on('positionsShifted', ({ milliseconds }) => timer.shift(milliseconds));
 * ```
 */
export class PositionTimer {
    /** @param {number} perSecond */
    constructor(perSecond) {
        this.period = 1_000 / perSecond;
        this.due = 0;
    }

    /**
     * Milliseconds until the next position.
     * @param {number} now in milliseconds, of any origin
     */
    wait(now) { return Math.max(0, this.due - now); }

    /**
     * A position is being sent. The moments stay the same, also over a pause and when timers are late.
     * @param {number} now
     */
    sent(now) {
        const least = now + this.period / 2;
        const periods = Math.max(1, Math.ceil((least - this.due) / this.period));
        this.due += periods * this.period;
    }

    /**
     * A position is never held back for longer than a period. The server asks for longer shifts where an app has sent
     * positions more rarely.
     * @param {number} milliseconds later; negative = sooner
     */
    shift(milliseconds) { this.due += milliseconds % this.period; }
}
