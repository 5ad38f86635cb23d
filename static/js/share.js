// Buttons that copy or share the text of the element that they name. The style sheet hides these
// buttons until this script has set classes of the root element for what the browser supports.
(() => {
  "use strict";
  const AGAIN = 2000; // milliseconds for which the button says that the text was copied
  const root = document.documentElement;
  const said = (id) => { const from = document.getElementById(id); return (from.value ?? from.textContent).trim(); };
  root.toggleAttribute("data-copies", Boolean(navigator.clipboard));
  root.toggleAttribute("data-shares", Boolean(navigator.share));
  document.addEventListener("click", async (click) => {
    const button = click.target.closest?.("[data-copy], [data-share]");
    if (!button) return;
    if ("share" in button.dataset) {
      // the visitor has closed the dialog without sharing
      await navigator.share({ title: document.title, url: said(button.dataset.share) }).catch(() => {});
      return;
    }
    await navigator.clipboard.writeText(said(button.dataset.copy));
    const before = button.textContent;
    if (before === button.dataset.done) return;
    button.textContent = button.dataset.done;
    setTimeout(() => { button.textContent = before; }, AGAIN);
  });
})();
