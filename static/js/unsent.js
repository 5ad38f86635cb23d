// Shows a message if a request of htmx fails because the site is full or busy, since htmx does not
// change the page then. The message is the text of the response, if it has one. If the connection is
// lost, connection.js shows a message.
(() => {
  "use strict";
  const { otherwise } = document.currentScript.dataset;
  const note = Object.assign(document.createElement("p"), { className: "wrap note error unsent", hidden: true });
  note.setAttribute("role", "alert");
  document.getElementById("main").before(note);
  const told = (request) => {
    const page = new DOMParser().parseFromString(request?.responseText ?? "", "text/html");
    return page.querySelector(".lede")?.textContent.trim();
  };
  const say = ({ detail }) => {
    if (detail.requestConfig.verb === "get") return;
    note.textContent = told(detail.xhr) || otherwise;
    note.hidden = false;
  };
  document.addEventListener("htmx:responseError", say);
  document.addEventListener("htmx:timeout", say);
  document.addEventListener("htmx:afterOnLoad", ({ detail }) => { if (detail.successful) note.hidden = true; });
})();
