// Help with the telephone number as a link, and feedback to the developers (PRF-10, STA-5).

import { client, isSignedIn, limits } from "../core/app.js";
import { make } from "../core/page.js";
import { has, hasKeys, t } from "../core/texts.js";
import { arriving } from "../components/arriving.js";
import { card, folded, paragraphs, section } from "../components/card.js";
import { form } from "../components/form.js";
import { list } from "../components/list.js";
import { welcomeTexts } from "./welcome.js";

/** The help that the server gives. */
export function helpPage() {
  return arriving(async () => {
    const { questions = [], further = "", phone = "", form: asked } = await client.request("getHelp");
    return make("div", { class: "stack" },
      section(t("hello.title"), make("p", {}, t("help.name")), ...welcomeTexts().map((one) => make("p", {}, one))),
      hasKeys() && section(t("help.keys"), make("p", {}, t("help.keys.text"))),
      section(t("help.questions"), ...questions.map((/** @type {any} */ { question, answer }) =>
        folded(question, {}, ...paragraphs(answer)))),
      (further || phone || isSignedIn()) && section(t("help.further"), ...paragraphs(further),
        isSignedIn() && make("p", {},
          make("a", { class: "button", href: "#/profile/feedback" }, t("profile.feedback"))),
        phone && make("p", {}, make("a", { class: "button", href: `tel:${phone.replace(/[^\d+]/g, "")}` },
          `${t("help.call")} ${phone}`))),
      asked?.text && section(t("profile.organisation"), ...paragraphs(asked.text),
        asked.fields?.length > 0 && list(asked.fields.map((/** @type {any} */ { label, required }) =>
          make("span", {}, label, !required && make("span", { class: "quiet" }, ` (${t("optional")})`)))),
        asked.address && make("p", {}, make("a", { href: `mailto:${asked.address}` }, asked.address))));
  });
}

/** Feedback with its ratings. */
export function feedbackPage() {
  const rate = (/** @type {string} */ name) => ({
    name, label: t(`feedback.${name}`), type: "select", value: "",
    choices: /** @type {[string, string][]} */ ([["", "–"],
      ...[5, 4, 3, 2, 1].map((n) => [String(n), t("feedback.of5", { n })])]),
  });
  return card(form([
    { name: "category", label: t("feedback.category"), type: "select", required: true,
      choices: (limits().feedbackCategories ?? []).map((/** @type {string} */ one) =>
      [one, has(`feedback.kind.${one}`) ? t(`feedback.kind.${one}`) : one]) },
    { name: "text", label: t("feedback.text"), type: "area", required: true, most: limits().feedbackCharacters },
    rate("rating"), rate("intuitive"), rate("satisfying"), rate("undistracting"),
  ], t("send"), async ({ category, text, ...ratings }, element) => {
    const given = Object.fromEntries(Object.entries(ratings).filter(([, value]) => value).map(([name, value]) =>
      [name, Number(value)]));
    await client.request("sendFeedback", { category, text, appVersion: "play 1", ...given });
    // What it is about stays: a second one is often of the same kind.
    element.reset();
    /** @type {any} */ (element.elements.namedItem("category")).value = category;
    return t("feedback.thanks");
  }));
}
