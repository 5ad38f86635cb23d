// Fragments that are personal are loaded into pages that are shared: a link stands there until they come.
(() => {
  "use strict";
  document.querySelectorAll(".follow-button[data-load]").forEach(async (place) => {
    const answer = await fetch(place.dataset.load, { headers: { "HX-Request": "true" } }).catch(() => null);
    if (!answer?.ok || answer.redirected) return;
    const fragment = document.createRange().createContextualFragment(await answer.text());
    place.replaceWith(fragment);
  });
})();
