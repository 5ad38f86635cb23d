// An answer that left before the newest change would take that change back: it is not shown, and the
// request that waits behind it asks again. Aborting it instead would be reported as an error.
(() => {
  "use strict";
  const form = document.querySelector(".ca-desk");
  const asked = new WeakMap();
  let changes = 0;
  for (const kind of ["input", "change"]) form.addEventListener(kind, () => { changes += 1; }, true);
  form.addEventListener("htmx:beforeRequest", ({ detail }) => asked.set(detail.xhr, changes));
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (asked.has(detail.xhr) && asked.get(detail.xhr) !== changes) detail.shouldSwap = false;
  });
})();
