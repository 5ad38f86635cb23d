// Loads personal fragments into pages that all visitors share. Until a fragment arrives, its place has a link.
(() => {
  "use strict";
  document.querySelectorAll(".follow-button[data-load]").forEach(async (place) => {
    const answer = await fetch(place.dataset.load, { headers: { "HX-Request": "true" } }).catch(() => null);
    if (!answer?.ok || answer.redirected) return;
    const fragment = document.createRange().createContextualFragment(await answer.text());
    place.replaceWith(fragment);
  });
})();
