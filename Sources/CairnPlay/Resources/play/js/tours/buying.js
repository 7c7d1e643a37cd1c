// Buying a tour: the form, and the payment itself, also over a reload (TRT-5).

import { client } from "../core/app.js";
import { make } from "../core/page.js";
import { t } from "../core/texts.js";
import { action } from "../components/button.js";
import { confirmed } from "../components/dialog.js";
import { form } from "../components/form.js";
import { isOpen, nameOf, purchases } from "./bought.js";
import { money } from "./figures.js";

/**
 * Whether a tour has to be bought before it is walked.
 * @param {any} tour
 */
export async function isForSale(tour) {
  return tour.price > 0 && !(await purchases()).some((one) => one.tour === tour.id);
}

/**
 * Sends a payment, the one that is under way if there is one.
 * @param {string} tour
 * @param {{tour: string, price: number, currency?: string, method: string}} body
 */
async function pay(tour, body) {
  const name = nameOf(tour);
  const kept = (await client.store.get(name)) ?? { key: crypto.randomUUID(), body };
  await client.store.put(name, kept);
  try {
    await client.request("buyTour", kept.body, { key: kept.key });
  } catch (refusal) {
    if (!isOpen(refusal)) await client.store.put(name, undefined);
    throw refusal;
  }
  await client.store.put(name, undefined);
}

/**
 * The form by which a tour is bought; `bought` runs after it. Where a payment is under way, it asks for that one again.
 * @param {any} tour
 * @param {() => Promise<any>} bought
 */
export async function buyingForm(tour, bought) {
  // As the person is shown it, whatever the server says later.
  const currency = client.welcome?.limits?.currency;
  const price = money(tour.price, currency);
  const status = make("p", { role: "status" });
  const method = { name: "method", label: t("buy.method"), required: true, most: 4096, hint: t("buy.method.about"),
    complete: "off" };
  const element = form([method], t("buy", { price }), async (values) => {
    const isUnderWay = Boolean(await client.store.get(nameOf(tour.id)));
    if (!isUnderWay && !(await confirmed(t("buy.ask", { price }), t("buy", { price })))) return;
    try {
      await pay(tour.id, { tour: tour.id, price: tour.price, currency, method: values.method.trim() });
    } finally {
      await show();
    }
    await bought();
  });
  element.prepend(status);
  const show = async () => {
    const isUnderWay = Boolean(await client.store.get(nameOf(tour.id)));
    status.textContent = isUnderWay ? t("buy.underWay") : "";
    element.querySelector(".field").hidden = isUnderWay;
    element.querySelector("[type=submit]").textContent = t(isUnderWay ? "buy.again" : "buy", { price });
  };
  // What was sent before a reload is sent again by the client itself.
  const end = client.on("answered", (/** @type {any} */ { kind, body, refusal }) => {
    if (kind !== "buyTour" || body.tour !== tour.id) return;
    if (refusal) show();
    else {
      end();
      element.replaceWith(action(t("tours.start"), bought, "accent"));
    }
  });
  await show();
  return element;
}
