// Marks a corrida as watched when its last moment is shown.
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
      kept = false; // the site does not respond: the visitor can use the button
    }
    if (!kept) return;
    form.querySelector("button").hidden = true;
    form.querySelectorAll("p").forEach((line) => { line.hidden = line.getAttribute("role") !== "status"; });
  };

  new MutationObserver(() => { if (atEnd()) keep(); })
    .observe(viewer, { subtree: true, attributes: true, attributeFilter: ["data-phase"] });
  if (atEnd()) keep();
})();
