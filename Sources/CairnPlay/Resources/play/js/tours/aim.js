// The way to the next stop of a tour over the picture, whatever the way of seeing (TRT-8): an arrow that turns as the
// user looks round, and the same in words. It leads to the page of the run.

import { compass } from "../core/geo.js";
import { make, write } from "../core/page.js";
import { metres, t } from "../core/texts.js";
import { aim } from "./run.js";

export class AimView {
  /**
   * @param {import("../realm/scene.js").Scene} scene
   * @param {HTMLElement} frame
   */
  constructor(scene, frame) {
    this.scene = scene;
    this.ahead = new scene.THREE.Vector3();
    this.arrow = make("span", { class: "arrow-to", "aria-hidden": "true" }, "➤");
    this.name = make("strong", { dir: "auto" });
    this.way = make("span", { class: "aim-way" });
    this.link = make("a", { class: "aim", href: "#/tours/run", hidden: true }, this.arrow,
      make("span", { class: "aim-words" }, this.name, this.way));
    frame.append(this.link);
  }

  /** Writes where the run leads; nothing is shown without one. */
  draw() {
    const to = aim();
    this.link.hidden = !to;
    if (!to) return;
    write(this.name, t("run.to", { name: to.name }));
    write(this.way, t("run.ahead", { distance: metres(to.metres), direction: compass(to.bearing) }));
    // The glyph points to the right by itself; up is where the picture looks to.
    this.arrow.style.transform = `rotate(${(to.bearing - this.#heading() - 90).toFixed(1)}deg)`;
  }

  /** Degrees clockwise from north that the picture looks to: a device in a session turns its camera alone. */
  #heading() {
    const { x, z } = this.scene.camera.getWorldDirection(this.ahead);
    return (Math.atan2(x, -z) * 180) / Math.PI;
  }
}
