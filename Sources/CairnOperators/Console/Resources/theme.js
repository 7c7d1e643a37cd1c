// Takes over the chosen colours before anything is drawn.
(() => {
  const chosen = localStorage.getItem("cairn-theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
})();
