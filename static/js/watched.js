// Keeps that a corrida has been watched, once its last moment is on the page.
(() => {
  "use strict";
  const form = document.getElementById("watched");
  const viewer = document.getElementById("viewer");
  if (!form || !viewer) return;
  let kept = false;

  const atEnd = () => document.getElementById("stage")?.dataset.phase === "end";

  const keep = async () => {
    form.hidden = false;
    if (kept) return;
    kept = true;
    try {
      const answer = await fetch(form.action, { method: "POST", body: new FormData(form), redirect: "manual" });
      kept = answer.ok || answer.type === "opaqueredirect";
    } catch {
      kept = false; // away for a moment: the button is there
    }
    if (!kept) return;
    form.querySelector("button").hidden = true;
    form.querySelectorAll("p").forEach((line) => { line.hidden = line.getAttribute("role") !== "status"; });
  };

  new MutationObserver(() => { if (atEnd()) keep(); })
    .observe(viewer, { subtree: true, attributes: true, attributeFilter: ["data-phase"] });
  if (atEnd()) keep();
})();
