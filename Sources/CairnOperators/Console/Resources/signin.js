// The form for those who are not in: the credential is exchanged for a cookie that scripts cannot read.

const form = document.getElementById("form");
const field = document.getElementById("credential");
const problem = document.getElementById("problem");
// What the page says where its script does not come.
document.getElementById("unloaded").remove();

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  problem.textContent = "";
  field.removeAttribute("aria-invalid");
  try {
    const headers = { Authorization: `Bearer ${field.value.trim()}` };
    const answer = await fetch("/v1/operator", { headers, cache: "no-store" });
    // Not where we are: that may be a link that was used up.
    if (answer.ok) return location.replace("/console");
    problem.textContent = "That is not the operators' credential of this server.";
  } catch (error) {
    // Letters that no header can carry are in no credential either.
    problem.textContent = error instanceof TypeError && /[^\x21-\x7e]/.test(field.value.trim())
      ? "That is not the operators' credential of this server." : "The server does not answer.";
  }
  field.setAttribute("aria-invalid", "true");
  field.select();
});
