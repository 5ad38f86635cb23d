// What htmx sends may fail: the site is full or busy, or the line is down. htmx leaves the page as
// it is, so the reason is said there, in the words of the answer where it has some. That the line is
// down is said by connection.js.
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
