// Figures in words.

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

/** A count or a rate: 12,345 or 3.2. */
export function number(value) {
  return (Math.abs(value) < 10 ? tenths : whole).format(value);
}

/** One thing, several things. */
export function count(value, one, several = `${one}s`) {
  return `${whole.format(value)} ${value === 1 ? one : several}`;
}

export function bytes(value) {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let unit = 0;
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${unit === 0 ? whole.format(value) : tenths.format(value)} ${units[unit]}`;
}

/** A short time: 12 ms. */
export function micros(value) {
  if (value < 1_000) return `${whole.format(value)} µs`;
  if (value < 1_000_000) return `${tenths.format(value / 1_000)} ms`;
  return `${tenths.format(value / 1_000_000)} s`;
}

/** A figure in its unit; the titles of rates say that they are a second's. */
export function figure(value, unit) {
  if (typeof value === "string") return value;
  if (unit === "bytes" || unit === "bytes/s") return bytes(value);
  return unit === "microseconds" ? micros(value) : number(value);
}

/** A long time: 3 h 12 min. */
export function seconds(value) {
  if (value < 1) return "less than a second";
  if (value < 60) return `${Math.floor(value)} s`;
  const minutes = Math.floor(value / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}

const moments = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

/** A time, in milliseconds since 1970, where the operator is: May 12, 2026, 3:04 PM. */
export function moment(milliseconds) {
  return moments.format(milliseconds);
}

const clocks = ["short", "medium"].map((timeStyle) => new Intl.DateTimeFormat("en-GB", { timeStyle }));

/** A time of day, in milliseconds since 1970, where the operator is: 15:04, or 15:04:05. */
export function clock(milliseconds, withSeconds = false) {
  return clocks[withSeconds ? 1 : 0].format(milliseconds);
}

/** The beginning of a day where the operator is, or so many days later, in milliseconds since 1970. */
export function midnight(date, days = 0) {
  const [year, month, day] = date.split("-").map(Number);
  return new Date(year, month - 1, day + days).getTime();
}

/** outbox_full: outbox full. */
export function plain(code) {
  return code.replace(/_/g, " ").replace(/([a-z])([A-Z])/g, (_, a, b) => `${a} ${b.toLowerCase()}`);
}

/** What stands where a reason would be. */
export const noReason = "no reason given";

/** A message of the server as a sentence. */
export function sentence(message) {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}

/** The middle of a ring, as a person writes it. */
export function place(ring) {
  const middle = (axis) => ring.reduce((sum, corner) => sum + corner[axis], 0) / ring.length;
  const [lon, lat] = [middle(0), middle(1)];
  return `${Math.abs(lat).toFixed(5)}° ${lat < 0 ? "S" : "N"}, ${Math.abs(lon).toFixed(5)}° ${lon < 0 ? "W" : "E"}`;
}
