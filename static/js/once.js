// Prevents that a form is sent twice before the response to it arrives. Forms that are sent by other
// scripts are not affected.
(() => {
  "use strict";
  // Show or hide the text of a form that says that it is being sent.
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
  // cancel previews of a form that has been sent
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
