// The play control in the header. Cached pages contain only an empty element. The control, and the
// band under the header while a season is simulated, are loaded from a URL for the director.
(() => {
  "use strict";
  const SECOND = 1000; // milliseconds between two requests for the state of a run
  const slot = document.getElementById("play");
  const band = document.getElementById("play-band");
  const said = document.getElementById("play-said");
  if (!slot || !band || !slot.dataset.load) return;
  const desk = document.getElementById("desk");
  let timer = 0;
  let busy = false;
  let latest = 0; // number of the latest request; responses to earlier ones are ignored

  const details = () => slot.querySelector("details");
  const first = (...wanted) => wanted.map((each) => slot.querySelector(each)).find(Boolean);
  const playing = () => band.querySelector("[data-active]");

  /* Insert both fragments, and keep the focus and the open menu. */
  function show(html, open) {
    const fresh = new DOMParser().parseFromString(html, "text/html");
    const parts = Object.fromEntries(
      [...fresh.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, part]));
    if (!parts.play || !parts.band) return;
    const was = { open: details()?.open, focus: document.activeElement, run: playing()?.dataset.run };
    const menu = slot.contains(was.focus) || band.contains(was.focus);
    slot.replaceChildren(...parts.play.childNodes);
    band.replaceChildren(...parts.band.childNodes);
    if (details() && open !== undefined) details().open = open || details().open;
    else if (details()) details().open = was.open || details().open;
    if (menu && !document.contains(was.focus)) {
      const same = was.focus.id && document.getElementById(was.focus.id);
      (same && !same.disabled ? same : first(".d-ask .go", "[aria-invalid]", "summary"))?.focus();
    }
    const words = band.querySelector("[data-said]")?.textContent.trim().replace(/\s+/g, " ") || "";
    if (said && said.textContent !== words) said.textContent = words;
    if (was.run !== playing()?.dataset.run) renewDesk();
    clearTimeout(timer);
    if (playing()) timer = setTimeout(look, SECOND);
  }

  async function ask(address, options = {}) {
    const number = latest += 1;
    const answer = await fetch(address, { ...options, headers: { "HX-Request": "true" }, credentials: "same-origin" });
    const away = answer.headers.get("HX-Redirect");
    if (away) { location.assign(away); return null; }
    if (answer.status === 204 || !(answer.ok || answer.status === 422) || number !== latest) return null;
    return answer.text();
  }

  /* Load the state of a run. `number` is the run that another page has reported, see `figures.js`. */
  async function look(number) {
    if (document.hidden) { clearTimeout(timer); timer = setTimeout(look, SECOND, number); return; }
    const run = number || band.querySelector("[data-run]")?.dataset.run;
    try {
      const html = await ask(run ? `${slot.dataset.load}?seen=${run}` : slot.dataset.load);
      if (html && !busy) show(html);
    } catch {
      // the site does not respond: try again after a second
    } finally {
      clearTimeout(timer);
      if (playing()) timer = setTimeout(look, SECOND);
    }
  }

  /* Render the whole desk again when a run begins or ends, but not while a field has the focus. */
  async function renewDesk() {
    if (!desk) return;
    const html = await fetch(location.pathname + location.search, { headers: { "HX-Request": "true" } })
      .then((answer) => answer.ok ? answer.text() : "").catch(() => "");
    if (!html) return; // the site does not respond: the next action renders the desk
    const at = desk.contains(document.activeElement) && document.activeElement;
    if (at && at.matches("input, select, textarea")) {
      at.addEventListener("blur", renewDesk, { once: true });
      return;
    }
    const way = at && at.getAttribute("href");
    desk.innerHTML = html;
    if (!at) return;
    const same = way && desk.querySelector(`a[href="${CSS.escape(way)}"]`);
    (same || desk.querySelector("a, button"))?.focus({ preventScroll: true });
  }

  document.addEventListener("submit", async (submit) => {
    const form = submit.target;
    if (!("play" in form.dataset) || !(slot.contains(form) || band.contains(form))) return;
    submit.preventDefault();
    if (busy) return;
    busy = true;
    const sent = new FormData(form, submit.submitter);
    try {
      const html = await ask(form.action, { method: "POST", body: sent });
      if (html) show(html, false);
      else look();
    } catch {
      location.assign(slot.dataset.load); // the page of the control says what is wrong
    } finally {
      busy = false;
    }
  });

  /* Show the number of corridas until the chosen date, or an error message for the date. */
  slot.addEventListener("change", async (change) => {
    if (change.target.id !== "play-until") return;
    const html = await ask(`${slot.dataset.load}?until=${encodeURIComponent(change.target.value)}`).catch(() => null);
    if (!html) return;
    const fresh = new DOMParser().parseFromString(html, "text/html");
    for (const id of ["play-until-count", "play-until-takes", "play-until-error"]) {
      const part = fresh.getElementById(id);
      if (part) document.getElementById(id)?.replaceChildren(...part.childNodes);
    }
  });

  document.addEventListener("click", (click) => {
    if (click.target.closest("[data-play-close]")) { click.preventDefault(); details().open = false; look(); return; }
    if (details()?.open && !slot.contains(click.target) && document.contains(click.target)) details().open = false;
  });

  document.addEventListener("keydown", (press) => {
    if (press.key === "Escape" && details()?.open) {
      details().open = false;
      details().querySelector("summary").focus();
    } else if (singleKey(press, "p") && details()) {
      press.preventDefault();
      details().open = true;
      first(".d-ask .go", "button.d-way", "button.stop:not(:disabled)", ".d-foot a", "summary").focus();
    }
  });

  document.addEventListener("run-seen", (seen) => look(seen.detail));
  desk?.querySelector(".d-ferias .now")?.scrollIntoView({ block: "nearest", inline: "center" });
  if (!details()) look();
  else if (playing()) timer = setTimeout(look, SECOND);
})();
