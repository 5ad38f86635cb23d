/* The page of a game table: follows the feed, sends forms without a reload, steps through a replay,
   runs the clock. Without this script, forms, links and a reload do the same. */
(() => {
  "use strict";
  const table = document.getElementById("table");
  if (!table) return;
  const STEP = 1100; // milliseconds between two steps of an automatic replay
  const LOW = 10; // the clock is red if so many seconds or fewer are left
  const announce = document.getElementById("announce");
  const stage = () => document.getElementById("stage");
  const moment = () => Number(stage().dataset.moment);
  const replaying = "replay" in table.dataset;
  let busy = false;
  let ahead = 0; // milliseconds by which this browser's clock is ahead of the site's

  /* ---- fragments ---- */
  function parse(html) {
    return new DOMParser().parseFromString(html, "text/html").getElementById("stage");
  }

  /* Keep checked inputs and open details, if the new fragment has them too. */
  function keepHand(from, to) {
    from.querySelectorAll("input:checked").forEach((input) => {
      const same = to.querySelector(`input[name="${CSS.escape(input.name)}"][value="${CSS.escape(input.value)}"]`);
      if (same) same.checked = true;
    });
    const open = [...from.querySelectorAll("details")].map((one) => one.open);
    to.querySelectorAll("details").forEach((one, place) => { one.open ||= open[place] || false; });
  }

  const HEADINGS = "#over-h, #outcome-h, #turn-h, #lobby-h";

  /* Return the same control in the new fragment, if it is visible and enabled. */
  function counterpart(one, place) {
    const known = ["id", "name", "value", "data-key", "href"].filter((key) => one.getAttribute(key));
    const like = one.localName + known.map((key) => `[${key}="${CSS.escape(one.getAttribute(key))}"]`).join("");
    const alike = [...stage().querySelectorAll(like)].filter((same) => same.checkVisibility() && !same.disabled);
    return known.length ? alike[0] : alike[place];
  }

  /* Set the focus after the element with the focus was replaced. It goes to the same control in the
     new fragment. After a move, or without this control, it goes to the first action of the player, or
     to the heading that says whose turn it is. */
  function refocus(had, place, first) {
    const waited = busy || had.matches(HEADINGS);
    const goal = (!waited && counterpart(had, place)) || first || stage().querySelector(HEADINGS);
    if (goal?.matches(HEADINGS)) goal.tabIndex = -1;
    goal?.focus({ preventScroll: true });
  }

  function show(fragment, keep = true) {
    const old = stage();
    const changed = phase(old) !== phase(fragment);
    const begun = old.dataset.state === "open" && fragment.dataset.state !== "open";
    if (begun) { location.reload(); return; }
    const had = document.activeElement;
    const lost = old.contains(had) || (busy && had === document.body);
    const place = [...old.querySelectorAll(had.localName)].indexOf(had);
    const first = fragment.querySelector("[autofocus]");
    first?.removeAttribute("autofocus");
    if (keep) keepHand(old, fragment);
    old.replaceWith(fragment);
    if (lost) refocus(had, place, first);
    settle();
    tell();
    if (changed && !replaying) freshen();
  }

  const phase = (one) => [one.dataset.state, one.dataset.round, one.querySelector(".tab-next, .tab-over") ? "between" : ""].join();

  /* Load the texts below the stage (digests, seeds, links) again, because they change in every round. */
  async function freshen() {
    const answer = await fetch(location.href, { credentials: "same-origin" }).catch(() => null);
    if (!answer?.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.querySelector(".tab-below");
    if (fresh) document.querySelector(".tab-below")?.replaceWith(document.adoptNode(fresh));
  }

  async function ask(address) {
    const answer = await fetch(address, { headers: { "HX-Request": "true" }, credentials: "same-origin" });
    return answer.ok ? parse(await answer.text()) : null;
  }

  /* ---- messages for screen readers, and the title of the browser tab ---- */
  let said = "";
  function tell() {
    const told = [...stage().querySelectorAll(".tab-refused, .tab-note, #word, #turn-h, #outcome-h, #over-h")]
      .map((one) => one.textContent.trim().replace(/\s+/g, " ")).join(" ");
    if (told !== said) announce.textContent = told;
    said = told;
    document.title = document.title.replace(/^(● )?/, "mine" in stage().dataset ? "● " : "");
  }

  function settle() {
    tick();
    stage().querySelector(".tab-refused")?.scrollIntoView({ block: "nearest" });
  }

  /* ---- the clock ---- */
  function setClock() {
    const clock = document.querySelector(".tab-clock");
    if (clock) ahead = Date.now() - (Number(clock.dataset.until) - 1000 * Number(clock.querySelector("text").textContent));
  }

  function tick() {
    document.querySelectorAll(".tab-clock").forEach((clock) => {
      const left = Math.max(0, Math.round((Number(clock.dataset.until) + ahead - Date.now()) / 1000));
      const allowed = Math.max(Number(clock.dataset.allowed), 1);
      clock.querySelector("text").textContent = left;
      clock.querySelector(".tab-clock-run").setAttribute("stroke-dasharray", `${Math.min(100, (100 * left) / allowed)} 100`);
      clock.classList.toggle("is-low", left <= LOW);
    });
  }

  /* ---- forms: moves and other buttons ---- */
  async function send(form, button) {
    const data = new FormData(form);
    if (button?.name) data.append(button.name, button.value);
    const address = button?.hasAttribute("formaction") ? button.formAction : form.action;
    const answer = await connection.send(address, data);
    if (!answer) return; // the visitor has discarded the form
    const elsewhere = answer.headers.get("HX-Redirect");
    if (elsewhere) { location.assign(elsewhere); return; }
    const fragment = parse(await answer.text());
    if (!fragment) { location.assign(table.dataset.here); return; }
    const number = Number(fragment.dataset.moment);
    // The feed may already have shown the new state. Before the game begins, the feed sends no personal
    // fragments, so the response is shown in any case.
    if (number > moment() || (number === moment() && (!answer.ok || fragment.dataset.state === "open"))) show(fragment);
  }

  document.addEventListener("submit", (submit) => {
    const form = submit.target;
    if (form.id !== "move-form" && form.id !== "act-form") return;
    submit.preventDefault();
    if (busy) return;
    busy = true;
    table.classList.add("is-busy");
    send(form, submit.submitter)
      .catch(() => connection.lost())
      .finally(() => { busy = false; table.classList.remove("is-busy"); });
  });

  /* ---- replay: every step is a link ---- */
  let timer = 0;
  async function step(address, on) {
    const fragment = await ask(address).catch(() => undefined);
    if (fragment === undefined) { connection.lost(); return; }
    if (!fragment) { location.assign(address); return; }
    show(fragment, false);
    history.replaceState(null, "", address.replace(/#.*$/, ""));
    if (on) play();
  }

  function key(name) {
    const found = stage().querySelector(`[data-key="${name}"]`);
    return found && found.getAttribute("aria-disabled") !== "true" ? found : null;
  }

  function play() {
    clearTimeout(timer);
    const next = key("next");
    if (next) timer = setTimeout(() => step(next.href, true), STEP);
  }

  function go(name) {
    clearTimeout(timer);
    const found = key(name);
    if (found) step(found.href, name === "play");
  }

  document.addEventListener("click", (click) => {
    if (click.ctrlKey || click.metaKey || click.shiftKey || click.button) return;
    const link = click.target.closest("#stage a[data-key], #stage .lg-track a");
    if (!link || !replaying) return;
    click.preventDefault();
    if (link.dataset.key) go(link.dataset.key);
    else { clearTimeout(timer); step(link.getAttribute("href"), false); }
  });

  document.addEventListener("keydown", (press) => {
    if (!replaying || press.ctrlKey || press.metaKey || press.altKey) return;
    if (press.target.closest("input, textarea, select, summary")) return;
    const name = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" }[press.key];
    if (!name) return;
    press.preventDefault();
    go(name);
  });

  /* ---- the feed ---- */
  function receive(event) {
    if (Number(event.lastEventId) <= moment()) return;
    if (stage().dataset.state === "open") { // before the game begins, the feed sends no personal fragments
      ask(table.dataset.here).then((fragment) => {
        if (fragment && Number(fragment.dataset.moment) > moment()) show(fragment); // otherwise the response to a click was faster
      }).catch(() => null);
      return;
    }
    const fragment = parse(event.data);
    if (fragment) show(fragment);
    table.dataset.received = Number(table.dataset.received || 0) + 1;
  }

  /* ---- a hidden page has no feed, but its title says when it is this player's turn ---- */
  const HIDDEN_LOOK = 20000; // milliseconds between two requests

  async function lookForTurn() {
    if (!document.hidden || !table.dataset.feed || busy || document.getElementById("watching")) return;
    const fragment = await ask(table.dataset.here).catch(() => null);
    if (fragment && !busy && Number(fragment.dataset.moment) > moment()) show(fragment);
  }

  setInterval(lookForTurn, HIDDEN_LOOK);

  /* ---- after the match: the feed has ended, but somebody may ask for a rematch ---- */
  const LOOK = 4000; // milliseconds between two requests
  const LOOKS = 450; // maximum number of requests, within half an hour
  let looks = 0;

  async function lookForRematch() {
    const old = stage().querySelector("#rematch");
    if (!old || replaying || document.hidden || busy || looks >= LOOKS) return;
    looks += 1;
    const fresh = (await ask(table.dataset.here).catch(() => null))?.querySelector("#rematch");
    if (!fresh || !old.isConnected || busy || fresh.dataset.state === old.dataset.state) return;
    const had = old.contains(document.activeElement);
    old.replaceWith(fresh);
    if (had) fresh.querySelector("a, button")?.focus({ preventScroll: true });
    tell();
  }

  setInterval(lookForRematch, LOOK);
  document.addEventListener("visibilitychange", lookForRematch);

  setInterval(tick, 1000);

  setClock();
  settle();
  if (table.dataset.feed) {
    followFeed({
      address: () => `${table.dataset.feed}?after=${moment()}`,
      receive,
      opened: () => { table.dataset.line = "open"; connection.back(); },
      lost: () => { table.dataset.line = "lost"; connection.lost(); },
      ended: () => { delete table.dataset.feed; },
    });
  }
  said = ""; tell();
  table.classList.add("is-scripted");
})();
