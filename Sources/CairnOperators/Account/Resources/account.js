// Sets a new password, proves an email, or undoes a change of how one gets in, by the code behind the address's "#".

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

/** Shows the question of a link, and sends what it asks for when the button is pressed. */
function offer(request, done) {
  const [question, button] = [element(purpose), element(`${purpose}-now`)];
  question.hidden = false;
  button.addEventListener("click", async () => {
    button.disabled = true;
    result.textContent = "";
    try {
      const { refusal } = await ask(request, language);
      question.hidden = true;
      result.textContent = refusal ? told(refusal) : done;
    } catch {
      button.disabled = false;
      result.textContent = texts.failed;
    }
  });
}

// Opening a link changes nothing, whatever it is for: programs that look into mails open links and run their pages, and
// so prove nobody's address. What the link is for is sent by a button, which a person presses.
if (purpose === "undo" && code) {
  offer({ undoChange: { code } }, texts.undone);
} else if (purpose === "verify" && code) {
  offer({ verifyEmail: { code } }, texts.verified);
} else if (purpose === "reset" && code) {
  form.hidden = false;
  form.addEventListener("submit", setPassword);
} else {
  result.textContent = texts.nothing;
}
