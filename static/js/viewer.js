/* The page of a broadcast corrida: follows the feed, or shows the cards at a pace that the viewer
   chooses. Every button is a link that works without this script. */
(() => {
  "use strict";
  const viewer = document.getElementById("viewer");
  if (!viewer) return;
  const feed = viewer.dataset.feed;
  const SPEEDS = [1, 2, 4, 8];
  const HURRY = 90; // milliseconds between cards that arrive together
  const KEPT = 400;

  /* Before a corrida begins, the page only waits. When it begins or is cancelled, load the page again. */
  if (viewer.dataset.mode === "wait") {
    if (feed) followFeed({
      address: () => feed,
      receive: (card, end) => end(),
      ended: () => location.replace(viewer.dataset.live),
    });
    return;
  }

  const pace = Number(viewer.dataset.pace) || 1200;
  const announce = document.getElementById("announce");
  const keys = Object.fromEntries([...viewer.querySelectorAll("[data-key]")].map((key) => [key.dataset.key, key]));
  const stage = () => document.getElementById("stage");
  const shown = () => Number(stage().dataset.moment);
  const kept = new Map(); // fragments by number of the moment
  let mode = viewer.dataset.mode; // live, play or pause
  let speed = 1;
  let latest = Number(viewer.dataset.latest) || shown(); // the last moment that has been broadcast
  let over = "over" in viewer.dataset;
  let waiting = []; // moments received and not yet shown, while live
  let timer = 0;

  keep(shown(), stage().cloneNode(true));

  /* ---- fragments ---- */
  function keep(number, fragment) {
    kept.set(number, fragment);
    if (kept.size > KEPT) kept.delete(kept.keys().next().value);
  }

  function parse(html) {
    const page = new DOMParser().parseFromString(html, "text/html");
    return page.getElementById("stage");
  }

  async function ask(address) {
    if (!address) return null;
    const answer = await fetch(address, { headers: { "HX-Request": "true" }, credentials: "same-origin" });
    if (!answer.ok) return null;
    const fragment = parse(await answer.text());
    if (fragment) keep(Number(fragment.dataset.moment), fragment.cloneNode(true));
    return fragment;
  }

  async function at(number, address) {
    return kept.has(number) ? kept.get(number).cloneNode(true) : ask(address);
  }

  /* ---- changes only nodes that differ, so that focus, selection and open notes stay ---- */
  function morph(from, to) {
    if (from.nodeType !== to.nodeType || from.nodeName !== to.nodeName) { from.replaceWith(to); return; }
    if (from.nodeType !== Node.ELEMENT_NODE) {
      if (from.nodeValue !== to.nodeValue) from.nodeValue = to.nodeValue;
      return;
    }
    if (from.hasAttribute("data-keep")) return;
    for (const { name } of [...from.attributes]) {
      if (!to.hasAttribute(name) && name !== "open") from.removeAttribute(name);
    }
    for (const { name, value } of to.attributes) {
      if (from.getAttribute(name) !== value) from.setAttribute(name, value);
    }
    const old = [...from.childNodes];
    const fresh = [...to.childNodes];
    fresh.forEach((node, place) => (old[place] ? morph(old[place], node) : from.append(node)));
    old.slice(fresh.length).forEach((node) => node.remove());
  }

  /* Show the cartel during the paseíllo, and close it when the first bull comes. */
  const bill = document.getElementById("bill");
  function fold(from, to) {
    if (bill && (from === "paseillo") !== (to === "paseillo")) bill.open = to === "paseillo";
  }

  function show(fragment, jumped) {
    const before = stage().dataset.phase;
    morph(stage(), fragment);
    const now = stage();
    fold(before, now.dataset.phase);
    const newest = now.querySelector(".co-story li p");
    if (newest && announce.textContent !== newest.textContent) announce.textContent = newest.textContent;
    document.querySelectorAll("[data-bull]").forEach((bull) =>
      bull.classList.toggle("now", now.dataset.phase === "lidia" && bull.dataset.bull === now.dataset.turn));
    count(Number(now.dataset.moment), jumped);
    tell();
  }

  /* Count the shown cards in data attributes, with which tests check that no card is missing. */
  function count(number, jumped = false) {
    const { first, last, received } = viewer.dataset;
    if (first === undefined || jumped) Object.assign(viewer.dataset, { first: number, last: number, received: 1 });
    else if (number > Number(last)) Object.assign(viewer.dataset, { last: number, received: Number(received) + 1 });
  }

  /* ---- the buttons ---- */
  function tell() {
    const now = stage().dataset;
    keys.back.href = now.previous || now.here;
    keys.step.href = now.next || now.here;
    keys.pause.href = now.here;
    keys.score.href = `${now.here}?to=score`;
    keys.fast.href = `${now.here}?to=faster`;
    const running = mode !== "pause";
    keys.pause.classList.toggle("is-off", !running);
    keys.pause.querySelector("span").textContent = keys.pause.dataset[running ? "pause" : "play"];
    keys.fast.querySelector("span").dataset.speed = speed > 1 ? `×${speed}` : "";
    if (mode === "live") keys.live.setAttribute("aria-current", "true");
    else keys.live.removeAttribute("aria-current");
    if (over) {
      keys.live.querySelector("span").textContent = keys.live.dataset.result;
      const lamp = document.getElementById("on-air");
      if (lamp) { lamp.textContent = lamp.dataset.over; lamp.classList.add("off"); }
    }
    viewer.dataset.mode = mode;
    viewer.dataset.latest = latest;
    viewer.dataset.behind = Math.max(0, latest - shown());
    viewer.dataset.speed = speed;
    document.title = document.title.replace(/^(● )?/, mode === "live" ? "● " : "");
  }

  function turn(to) {
    mode = to;
    clearTimeout(timer);
    if (mode === "play") timer = setTimeout(on, pace / speed);
    if (mode !== "play") speed = 1;
    if (mode === "live") catchUp();
    tell();
  }

  /* Show the next card at the viewer's pace, until the page has reached the broadcast. */
  async function on() {
    const went = await step();
    if (mode !== "play") return;
    if (went) timer = setTimeout(on, pace / speed);
    else turn(over ? "pause" : "live");
  }

  async function step() {
    if (shown() >= latest) return false; // the next card has not been drawn
    const here = stage().dataset;
    const fragment = await at(Number(here.moment) + 1, here.next).catch(() => null);
    if (!fragment || Number(fragment.dataset.moment) <= shown()) return false;
    show(fragment);
    const next = stage().dataset;
    if (mode === "play" && shown() < latest && !kept.has(shown() + 1)) ask(next.next).catch(() => null);
    return true;
  }

  /* Perform steps one after another, so that each step starts at the card to which the last one led. */
  let steps = Promise.resolve();
  function inTurn(go) {
    steps = steps.catch(() => null).then(go);
    return steps;
  }

  const acts = {
    pause() { turn(mode === "pause" ? (shown() < latest || over ? "play" : "live") : "pause"); },
    back() {
      turn("pause");
      return inTurn(async () => {
        const here = stage().dataset;
        const fragment = await at(Number(here.moment) - 1, here.previous);
        if (fragment) show(fragment);
      });
    },
    step() {
      turn("pause");
      return inTurn(step);
    },
    fast() {
      if (mode === "live") return;
      speed = SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length];
      turn("play");
    },
    async score() {
      const fragment = await ask(`${stage().dataset.here}?to=score`);
      if (!fragment) return;
      show(fragment, true);
      turn(!over && shown() >= latest ? "live" : "pause");
    },
    async live() {
      speed = 1;
      const newest = kept.has(latest) && !over ? kept.get(latest).cloneNode(true) : await ask(viewer.dataset.live);
      if (!newest && over && document.getElementById("watched")) { location.assign(viewer.dataset.live); return; }
      if (newest && Number(newest.dataset.moment) > shown()) show(newest, true);
      waiting = waiting.filter((number) => number > shown());
      turn(over ? "pause" : "live");
    },
    async replay() {
      speed = 1;
      const first = await ask(document.querySelector("[data-replay]").href);
      if (first) { show(first, true); turn("play"); viewer.scrollIntoView(); }
    },
  };

  viewer.addEventListener("click", (click) => {
    if (click.ctrlKey || click.metaKey || click.shiftKey || click.button) return;
    const link = click.target.closest("a, button");
    if (!link) return;
    const act = link.dataset.key || ("replay" in link.dataset ? "replay" : "");
    if (!act) return;
    click.preventDefault();
    Promise.resolve(acts[act]()).catch(() => location.assign(link.href));
  });

  const HANDS = { " ": "pause", k: "pause", ArrowLeft: "back", ArrowRight: "step", n: "score", l: "live", f: "fast" };
  document.addEventListener("keydown", (press) => {
    if (press.ctrlKey || press.metaKey || press.altKey) return;
    if (press.target.closest("input, textarea, select, [contenteditable], summary")) return;
    if (press.key === " " && press.target.closest("button")) return;
    const act = HANDS[press.key.length === 1 ? press.key.toLowerCase() : press.key];
    if (!act || (/[a-z]/i.test(press.key) && press.key.length === 1 && !singleKey(press))) return;
    press.preventDefault();
    Promise.resolve(acts[act]()).catch(() => null);
  });

  /* ---- the feed: its events have numbers, so that no event is shown twice or left out ---- */
  function receive(event) {
    const number = Number(event.lastEventId);
    if (!(number > latest)) return;
    latest = number;
    const fragment = parse(event.data);
    if (!fragment) return;
    keep(number, fragment);
    if (mode === "live") { waiting.push(number); catchUp(); } else tell();
  }

  function catchUp() {
    clearTimeout(timer);
    if (mode !== "live") return;
    const number = waiting.shift();
    if (number !== undefined && number > shown() && kept.has(number)) show(kept.get(number).cloneNode(true));
    if (waiting.length) timer = setTimeout(catchUp, HURRY);
  }

  count(shown());
  viewer.classList.add("is-scripted");
  if (feed && !over) {
    followFeed({
      address: () => `${feed}?after=${latest}`,
      receive,
      notice: () => {
        const words = document.querySelector("#played-on template");
        words?.replaceWith(words.content);
      },
      ended: () => { over = true; tell(); },
    });
  }
  tell();
})();
