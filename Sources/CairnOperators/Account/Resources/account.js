// Sets a new password, proves an email, or undoes a change of how one gets in, by the code behind the '#' of the address.

import { ask, words } from "/account/pages.js";

const [purpose, code] = location.hash.slice(1).split("=");
// The code works once, but nobody who looks at the screen or the history needs it.
history.replaceState(null, "", location.pathname);

const element = (id) => document.getElementById(id);
const [form, problem, result] = ["form", "problem", "result"].map(element);

const { language, speak } = await words();
const texts = speak(language);

/** What a refusal means for the person. */
function told({ code, details }) {
  switch (code) {
    case "weak_password": {
      const missing = details.missing.split(",").map((word) => texts[word]).join(", ");
      return texts.weak.replace("{missing}", missing);
    }
    case "reset_token_invalid": case "link_invalid": return texts.invalid;
    case "too_many_attempts": case "try_again": case "overloaded": return texts.wait;
    default: return texts.failed;
  }
}

async function setPassword(event) {
  event.preventDefault();
  problem.textContent = "";
  const password = element("password").value;
  if (password !== element("repeat").value) { problem.textContent = texts.different; return; }
  const button = form.querySelector("button");
  button.disabled = true;
  try {
    const { refusal } = await ask({ resetPassword: { code, password } }, language);
    if (refusal) { problem.textContent = told(refusal); return; }
    form.hidden = true;
    result.textContent = texts.reset;
  } catch {
    problem.textContent = texts.failed;
  } finally {
    button.disabled = false;
  }
}

async function verify() {
  try {
    const { refusal } = await ask({ verifyEmail: { code } }, language);
    result.textContent = refusal ? told(refusal) : texts.verified;
  } catch {
    result.textContent = texts.failed;
  }
}

/** Only by a tap: programs that look into mails open links, too. */
async function undo() {
  const button = element("undo-now");
  button.disabled = true;
  try {
    const { refusal } = await ask({ undoChange: { code } }, language);
    element("undo").hidden = true;
    result.textContent = refusal ? told(refusal) : texts.undone;
  } catch {
    button.disabled = false;
    result.textContent = texts.failed;
  }
}

if (purpose === "undo" && code) {
  element("undo").hidden = false;
  element("undo-now").addEventListener("click", undo);
} else if (purpose === "reset" && code) {
  form.hidden = false;
  form.addEventListener("submit", setPassword);
} else if (purpose === "verify" && code) {
  await verify();
} else {
  result.textContent = texts.nothing;
}
