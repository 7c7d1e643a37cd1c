// @ts-check

/**
 * The moments at which an app sends positions at a fixed rate (SES-8).
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
    /** @param {number} perSecond positions a second; the server shifts whole rates from 1 to 20 only */
    constructor(perSecond) {
        this.period = 1_000 / perSecond;
        this.due = 0;
    }

    /**
     * Milliseconds until the next position.
     * @param {number} now in milliseconds, of any origin, the same in all calls
     */
    wait(now) { return Math.max(0, this.due - now); }

    /**
     * Sets the moment of the next position, at least half a period from now; called when a position is sent. The
     * moments stay the same, also over a pause and when timers are late.
     * @param {number} now as in `wait`
     */
    sent(now) {
        const least = now + this.period / 2;
        const periods = Math.max(1, Math.ceil((least - this.due) / this.period));
        this.due += periods * this.period;
    }

    /**
     * Shifts the moments by less than a period: by the remainder, if the server asks for more, as it may where an app
     * has sent positions more rarely. So no position is held back for longer than a period.
     * @param {number} milliseconds later; negative = sooner
     */
    shift(milliseconds) { this.due += milliseconds % this.period; }
}
