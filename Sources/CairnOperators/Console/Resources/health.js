// The state of the server in one line, and its alarms until somebody has seen them.

import { arrange, make, say, write } from "./page.js";
import { clock, count, seconds } from "./words.js";

const tones = { healthy: "good", watch: "warn", trouble: "bad" };

export class Health {
  #link;
  #actions;
  #line = document.getElementById("health-line");
  #list = document.getElementById("alarms");
  #all = document.getElementById("all-seen");
  #earlier = document.getElementById("alarms-earlier");
  #past = make("ul", { class: "alarms" });
  /** What was shown when the alarms were last asked for. */
  #known = "";

  constructor(link, actions) {
    this.#link = link;
    this.#actions = actions;
    this.#earlier.append(this.#past);
    this.#all.addEventListener("click", () => this.#see("all"));
  }

  begin() {
    this.refresh();
  }

  show({ health, alarms }) {
    this.#line.dataset.tone = tones[health.state];
    write(this.#line, health.line);
    const known = JSON.stringify([health.unseen, alarms]);
    if (known === this.#known) return;
    this.#known = known;
    this.refresh();
  }

  async refresh() {
    try {
      const { at, alarms } = await this.#link.ask("alarms");
      const isOpen = ({ ended, seenAt }) => ended === null || seenAt === null;
      const open = alarms.filter(isOpen).toReversed();
      // Those that last come first.
      open.sort((a, b) => (a.ended !== null) - (b.ended !== null));
      this.#fill(this.#list, open, at);
      this.#all.hidden = open.filter(({ seenAt }) => seenAt === null).length < 2 || !this.#actions.has("seen");
      const past = alarms.filter((alarm) => !isOpen(alarm)).toReversed();
      this.#earlier.hidden = past.length === 0;
      write(this.#earlier.firstElementChild, `${count(past.length, "earlier alarm")}, marked as seen`);
      this.#fill(this.#past, past, at);
    } catch {
      // The connection is gone; what is shown stays.
    }
  }

  #fill(list, alarms, at) {
    list.hidden = alarms.length === 0;
    arrange(list, alarms.map((alarm) => ({ ...alarm, key: String(alarm.alarm) })), (alarm) => this.#make(alarm),
      (item, alarm) => {
        item.dataset.tone = alarm.severity;
        const [words, times, remedy, from] = item.firstElementChild.children;
        write(words, alarm.amount === null ? alarm.text : `${alarm.text} (${alarm.amount})`);
        write(times, when(alarm, at));
        write(remedy, alarm.remedy);
        write(from, alarm.addresses.length > 0 ? `From ${alarm.addresses.join(", ")}` : "");
        from.hidden = alarm.addresses.length === 0;
        const button = item.querySelector("button");
        if (button) button.hidden = alarm.seenAt !== null;
      });
  }

  #make(alarm) {
    const item = make("li", {}, make(
      "div", {}, make("p", { class: "reason" }), make("p", { class: "quiet" }), make("p", {}), make("p", {})));
    if (this.#actions.has("seen")) {
      item.append(make("button", {
        type: "button", class: "small", "aria-label": `Mark as seen: ${alarm.text}`,
        onclick: () => this.#see(alarm.alarm),
      }, "Seen"));
    }
    return item;
  }

  async #see(which) {
    try {
      const { seen } = await this.#link.ask(`seen ${which}`);
      say(`${count(seen, "alarm")} marked as seen.`);
      this.#line.focus();
    } catch (error) {
      say(error.message, "bad");
    }
    await this.refresh();
  }
}

/** When an alarm was, and who has seen it. */
function when({ began, ended, times, seenBy, seenAt }, at) {
  const ago = seconds(Math.max(0, at - ended) / 1_000);
  const parts = [ended === null ? `since ${clock(began)}` : `${clock(began)} to ${clock(ended)}, ${ago} ago`];
  if (times > 1) parts.push(`${times} times`);
  if (seenAt !== null) parts.push(`seen${seenBy ? ` by ${seenBy}` : ""} at ${clock(seenAt)}`);
  return parts.join("; ");
}
