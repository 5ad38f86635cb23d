/* Running with the Bulls at a game table: taps on the map choose the targets of a card, and the label
   of the button says what it will do. Without this script, targets are chosen in lists. */
(() => {
  "use strict";
  const table = document.getElementById("table");
  if (!table) return;
  const CALM = matchMedia("(prefers-reduced-motion: reduce)");
  const stage = () => document.getElementById("stage");
  const all = (selector, within = stage()) => [...(within?.querySelectorAll(selector) ?? [])];

  /* ---- choosing ---- */
  const card = () => stage()?.querySelector(".elt-card input[name=card]:checked");
  const list = () => {
    const chosen = card();
    if (chosen) return stage().querySelector(`.elt-picker[data-p="${chosen.dataset.p}"]`);
    return stage()?.querySelector(".elt-sheet:has(.elt-place)");
  };
  const ticked = () =>
    all("input[type=checkbox]:checked, input[type=radio]:checked", list()).filter((input) => !/\.(face|from)$/.test(input.name));

  function refresh() {
    const near = new Set(all("[data-on]", list()).map((chip) => chip.dataset.on));
    const on = new Set(ticked().map((input) => input.closest("[data-on]")?.dataset.on));
    all(".elt-over [data-on]").forEach((one) => {
      one.classList.toggle("is-near", near.has(one.dataset.on));
      one.classList.toggle("is-chosen", on.has(one.dataset.on));
    });
    const button = stage()?.querySelector("button[data-nothing]");
    if (!button) return;
    const chosen = card();
    const aims = chosen && (Number(chosen.dataset.up) > 0 || "idle" in chosen.dataset);
    const { first, nothing, say } = button.dataset;
    button.textContent = !chosen ? first : aims && !ticked().length ? nothing : `${say}: ${chosen.dataset.name}`;
    button.classList.toggle("go", !!chosen);
  }

  /* If more targets are ticked than the card allows, untick the one that was ticked first. */
  const order = [];
  function limit(input) {
    if (input.type !== "checkbox" || !input.closest(".elt-picker")) return;
    const most = Number(card()?.dataset.up || 0);
    const where = order.indexOf(input);
    if (where >= 0) order.splice(where, 1);
    if (input.checked) order.push(input);
    const twin = input.closest("[data-on]")?.dataset.on;
    const mine = ticked();
    if (input.checked) mine.forEach((other) => { // a die can move in one direction only
      const beside = other.closest("[data-on]")?.dataset.on === twin && /[-+>]/.test(other.name);
      if (other !== input && other.type === "checkbox" && beside) other.checked = false;
    });
    while (most && ticked().length > most) {
      const oldest = order.find((one) => one.checked && one !== input && ticked().includes(one)) || ticked().find((one) => one !== input);
      oldest.checked = false;
    }
  }

  document.addEventListener("change", (change) => {
    if (!stage()?.contains(change.target)) return;
    limit(change.target);
    refresh();
    // the list of targets opens above the hand, so scroll the chosen card back into view
    if (change.target.name === "card") change.target.closest("li").scrollIntoView({ block: "nearest", inline: "nearest" });
  });

  /* A second press clears a radio button, because a card can be played without a target. */
  document.addEventListener("pointerdown", (press) => {
    const input = press.target.closest?.(".elt-picker label")?.querySelector("input[type=radio]");
    if (input) input.dataset.was = input.checked ? "yes" : "";
  });
  document.addEventListener("click", (click) => {
    const input = click.target;
    if (input.matches?.(".elt-picker input[type=radio]") && input.dataset.was === "yes") {
      input.dataset.was = "";
      input.checked = false;
      refresh();
    }
  });

  /* A tap on the map ticks the target in the list. Another tap on it ticks its next choice. */
  function tap(id) {
    const chips = all("[data-on]", list()).filter((chip) => chip.dataset.on === id).map((chip) => chip.querySelector("input"));
    if (!chips.length) return;
    const at = chips.findIndex((input) => input.checked);
    const next = at < 0 ? chips[0] : chips[at + 1];
    if (list().querySelector(".elt-place")) { placeNext(id); return; }
    chips.forEach((input) => { input.checked = input === next; });
    (next || chips[0]).dispatchEvent(new Event("change", { bubbles: true }));
    (next || chips[0]).closest("label").scrollIntoView({ block: "nearest", behavior: "smooth" });
  }

  /* In the morning, a tap on a space places the first runner showing 1 that has no place yet. */
  function placeNext(id) {
    const fields = all(".elt-place", list());
    const free = fields.find((field) => !field.querySelector("input:checked")) || fields[fields.length - 1];
    const input = free.querySelector(`[data-on="${CSS.escape(id)}"] input`);
    if (!input) return;
    input.checked = true;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  }

  document.addEventListener("click", (click) => {
    const on = click.target.closest?.("#stage .elt-over [data-on]");
    if (!on) return;
    click.preventDefault();
    tap(on.dataset.on);
    showChances(on.dataset.on);
  });

  /* ---- chances of the tapped die ---- */
  function showChances(id) {
    all(".elt-chances tr.is-on").forEach((row) => row.classList.remove("is-on"));
    stage().querySelector(`.elt-chances tr[data-of="${CSS.escape(id)}"]`)?.classList.add("is-on");
  }

  refresh();
  /* Clear the choices after every move, even if the hand has the same cards. */
  function renew(records) {
    const gone = records.flatMap((record) => [...record.removedNodes]).find((node) => node.id === "stage");
    if (gone && gone.dataset.moves !== stage()?.dataset.moves) {
      all(".elt-cards input, .elt-sheet input").forEach((input) => { input.checked = input.defaultChecked; });
    }
    refresh();
  }

  new MutationObserver(renew).observe(table, { childList: true });
})();
