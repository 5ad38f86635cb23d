// A button pressed twice asks once: until the answer comes, a second press of the same form is the
// same wish. Forms that scripts send in their own way are left to them.
(() => {
  "use strict";
  // What a form says while its answer is under way.
  const wait = (form, shown) => {
    for (const said of form.querySelectorAll("[data-while-sent]")) said.hidden = !shown;
  };
  const AGAIN = 8000; // milliseconds until the form can be sent again, because a download does not replace the page
  window.addEventListener("submit", (submit) => {
    const form = submit.target;
    if (submit.defaultPrevented || form.method !== "post") return;
    if ("sent" in form.dataset) { submit.preventDefault(); return; }
    form.dataset.sent = "";
    wait(form, true);
    setTimeout(() => delete form.dataset.sent, AGAIN);
  });
  // what would only be looked up on the way must not overtake what was sent
  document.addEventListener("htmx:beforeRequest", (asked) => {
    if ("sent" in asked.target.dataset) asked.preventDefault();
  });
  window.addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("form[data-sent]")) {
      delete form.dataset.sent;
      wait(form, false);
    }
  });
})();
