// Ignores responses to requests that were sent before the latest change of the form, because they
// would undo this change. The next request in the queue sends the current form. Aborting the outdated
// request instead would be reported as an error.
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
