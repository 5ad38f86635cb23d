// The search box: "/" focuses it, results appear while users type, and arrow keys move between them.
// Without this script the box is a normal form.
(() => {
  "use strict";
  const script = document.currentScript;
  const form = document.querySelector("form[data-find]");
  const field = form?.querySelector('input[type="search"]');
  const link = document.querySelector("a[data-find]");

  document.addEventListener("keydown", (event) => {
    if (!singleKey(event, "/")) return;
    event.preventDefault();
    if (field?.offsetParent) { field.focus(); field.select(); } else if (link) location.assign(link.href);
  });
  if (!field) return;

  // load htmx with the first search, because most pages do not need it otherwise
  const ready = () => {
    if (!document.querySelector('link[href*="css/search"]')) {
      const style = document.createElement("link");
      style.rel = "stylesheet";
      style.href = script.dataset.css;
      document.head.append(style);
    }
    if (window.htmx || document.querySelector('script[src*="htmx"]')) return;
    const htmx = document.createElement("script");
    htmx.src = script.dataset.htmx;
    // search for text that was typed before htmx was loaded
    htmx.onload = () => {
      if (field.value !== field.defaultValue) field.dispatchEvent(new Event("input", { bubbles: true }));
    };
    // htmx must not start while the page is loading, because it would wait for an event that has passed
    if (document.readyState === "complete") document.head.append(htmx);
    else window.addEventListener("load", () => document.head.append(htmx), { once: true });
  };
  form.addEventListener("focusin", ready, { once: true });
  if (form.contains(document.activeElement)) ready();

  const results = document.querySelector(field.getAttribute("hx-target"));
  const said = document.querySelector("[data-said]");
  results.addEventListener("htmx:afterSwap", () => {
    const found = results.querySelector("[data-say]");
    if (found) { said.textContent = found.textContent; found.remove(); }
  });
  const within = (element) => form.contains(element) || results.contains(element);
  document.addEventListener("keydown", (event) => {
    if (!within(event.target)) return;
    const hits = [...results.querySelectorAll("a.hit")];
    const at = hits.indexOf(document.activeElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && hits.length) {
      event.preventDefault();
      (hits[at + step] ?? field).focus();
    } else if (event.key === "Escape" && form.contains(results)) {
      results.replaceChildren();
      said.textContent = "";
      field.focus();
    }
  });
})();
