/* Shows the latest events at a table of Running with the Bulls one by one on the map: the card, the
   routes of runners and bulls, the dice that must be rolled, and trampled runners. The list beside
   the map contains the same texts. Each text is shown with the dice that it names. Skipping shows
   the present state at once. */
(() => {
  "use strict";
  const table = document.getElementById("table");
  if (!table) return;
  const CALM = matchMedia("(prefers-reduced-motion: reduce)");
  const CARD = 1500; // milliseconds for which an event with one sentence is shown
  const LINE = 350; // additional milliseconds for each further sentence
  const LONGEST = 4200; // maximum of both together
  const WALK = 1100; // milliseconds in which a die moves to its new space
  const BEHIND = 4; // maximum number of moves in the queue; older ones are left out
  const ON_OLD = new Set(["card", "discard", "deal"]); // events shown on the map before the move
  const stage = () => document.getElementById("stage");
  const queue = [];
  let screen = null; // the map with past events, which covers the present map
  let last = null; // the events that the button "play" shows again
  let timer = 0;

  const plan = (within) => within?.querySelector(".elt-stack:not(.elt-screen)");
  const die = (id) => screen?.querySelector(`[data-die="${CSS.escape(id)}"]`);

  function read(within, before) {
    const frames = [...within.querySelectorAll("#happened li[data-kind]")].map((item, place) => ({
      place,
      kind: item.dataset.kind,
      title: item.querySelector("b").textContent,
      lines: [...item.querySelectorAll("span")].map((line) => line.textContent),
      moved: (item.dataset.moved || "").split(" ").filter(Boolean),
      again: (item.dataset.again || "").split(" ").filter(Boolean),
      faces: (item.dataset.faces || "").split(";").filter(Boolean).map((one) => one.split(" ")),
    }));
    return { before: before?.cloneNode(true), now: plan(within)?.cloneNode(true), frames };
  }

  /* ---- the map with past events ---- */
  function raise() {
    const present = plan(stage());
    if (!present) return;
    if (!screen) {
      screen = document.createElement("div");
      screen.className = "elt-stack elt-screen";
      screen.innerHTML =
        '<div class="elt-picture" aria-hidden="true"></div>' +
        '<div class="elt-caption"><p></p><button class="btn" type="button" data-reel="skip"></button></div>';
    }
    screen.querySelector("button").textContent = stage().querySelector("[data-reel=skip]")?.textContent || "»";
    present.before(screen);
    present.classList.add("is-behind");
  }

  function lower() {
    clearTimeout(timer);
    queue.length = 0;
    screen?.remove();
    screen = null;
    plan(stage())?.classList.remove("is-behind");
    stage()?.querySelectorAll("#happened li.is-on").forEach((one) => one.classList.remove("is-on"));
    table.classList.remove("is-reeling");
  }

  function hang(source) {
    const picture = source.querySelector(".elt-map").cloneNode(true);
    picture.removeAttribute("aria-labelledby");
    picture.querySelectorAll("title, desc").forEach((one) => one.remove());
    picture.querySelectorAll(".is-moved, .is-again").forEach((one) => one.classList.remove("is-moved", "is-again"));
    screen.querySelector(".elt-picture").replaceChildren(picture);
  }

  function face(id, number) {
    const pips = die(id)?.querySelector("use[href^='#elt-p']");
    pips?.setAttribute("href", `#elt-p${number}`);
  }

  function tell(frame) {
    const words = screen.querySelector("p");
    const title = document.createElement("b");
    title.textContent = frame.title;
    words.replaceChildren(title, ` ${frame.lines.slice(0, 3).join(" ")}${frame.lines.length > 3 ? " …" : ""}`);
    stage().querySelectorAll("#happened li[data-kind]").forEach((item) => {
      const place = [...item.parentElement.children].indexOf(item);
      item.classList.toggle("is-on", item.querySelector("b").textContent === frame.title && Number(frame.place) === place);
    });
  }

  /* ---- one event ---- */
  const spot = (node) => /translate\(([-\d.]+) ([-\d.]+)\) scale\(([-\d.]+)\)/.exec(node?.getAttribute("transform") || "");
  const css = (at) => `translate(${at[1]}px, ${at[2]}px) scale(${at[3]})`;

  function walk(frame, from) {
    frame.moved.forEach((id) => {
      const node = die(id), to = spot(node), at = from.get(id);
      if (!node || !to || !at) return;
      from.delete(id);
      node.setAttribute("transform", node.dataset.goal || node.getAttribute("transform"));
      const goal = spot(node);
      const easing = frame.kind === "bulls" ? "cubic-bezier(.6, 0, .9, .6)" : "ease-in-out";
      if (!CALM.matches) node.animate([{ transform: css(at) }, { transform: css(goal) }], { duration: WALK, easing });
    });
  }

  function show(frame, from) {
    screen.querySelectorAll(".is-moved, .is-again").forEach((one) => one.classList.remove("is-moved", "is-again"));
    tell(frame);
    if (frame.kind === "runners" || frame.kind === "bulls") { walk(frame, from); return; }
    frame.faces.forEach(([id, , after]) => face(id, after));
    frame.moved.forEach((id) => {
      const node = die(id);
      if (!node) return;
      node.classList.add("is-moved");
      if (node.dataset.falls) { node.classList.add("is-tramp"); delete node.dataset.falls; }
    });
    frame.again.forEach((id) => die(id)?.classList.add("is-again"));
  }

  /* Show the map after the move, but with each die at its old space and with its old face. Its own
     event moves it later. Returns the old positions. */
  function prepare(scene, frames) {
    const from = new Map();
    hang(scene.now);
    [...frames].reverse().forEach((frame) => frame.faces.forEach(([id, before]) => face(id, before)));
    screen.querySelectorAll(".is-tramp").forEach((node) => { node.classList.remove("is-tramp"); node.dataset.falls = "yes"; });
    if (!scene.before) return from;
    const walked = new Set(frames.filter((frame) => frame.kind === "runners" || frame.kind === "bulls").flatMap((frame) => frame.moved));
    walked.forEach((id) => {
      const node = die(id), at = spot(scene.before.querySelector(`[data-die="${CSS.escape(id)}"]`));
      if (!node || !at) return;
      node.dataset.goal = node.getAttribute("transform");
      node.setAttribute("transform", `translate(${at[1]} ${at[2]}) scale(${at[3]})`);
      from.set(id, at);
    });
    return from;
  }

  /* ---- the queue of events ---- */
  const stay = (frame) => {
    const behind = Math.max(1, queue.length);
    return Math.min(LONGEST, CARD + LINE * Math.max(0, frame.lines.length - 1)) / Math.min(behind, 3);
  };

  function play(scene) {
    const border = scene.frames.findIndex((frame) => !ON_OLD.has(frame.kind));
    const cut = border < 0 ? scene.frames.length : border;
    const old = scene.before ? scene.frames.slice(0, cut) : [];
    const fresh = scene.frames.slice(cut);
    let from = new Map();
    const steps = [
      ...(old.length ? [() => hang(scene.before)] : []),
      ...old.map((frame) => () => { show(frame, from); return stay(frame); }),
      ...(fresh.length ? [() => { from = prepare(scene, fresh); }] : []),
      ...fresh.map((frame) => () => { show(frame, from); return stay(frame); }),
    ];
    raise();
    table.classList.add("is-reeling");
    const next = () => {
      const step = steps.shift();
      if (!screen) return;
      if (!step) { follow(); return; }
      timer = setTimeout(next, step() || 0);
    };
    next();
  }

  function follow() {
    const scene = queue.shift();
    if (scene) play(scene);
    else lower();
  }

  function add(scene) {
    last = scene;
    if (!scene.now || !scene.frames.length) return;
    const alone = scene.frames.length === 1 && !screen;
    if (document.hidden || CALM.matches || alone || "replay" in table.dataset) return;
    queue.push(scene);
    while (queue.length > BEHIND) queue.shift();
    if (screen) raise();
    else follow();
  }

  /* ---- the page ---- */
  function offer() {
    const reel = stage()?.querySelector(".elt-reel");
    if (reel) reel.hidden = stage().querySelectorAll("#happened li[data-kind]").length < 2;
  }

  document.addEventListener("click", (click) => {
    const button = click.target.closest?.("[data-reel]");
    if (!button) return;
    lower();
    if (button.dataset.reel === "play" && last) play({ ...last, frames: [...last.frames] });
  });
  // A player who begins to choose needs the present map.
  document.addEventListener("change", (change) => { if (screen && change.target.closest?.(".elt-cards, .elt-sheet")) lower(); });
  document.addEventListener("visibilitychange", () => { if (document.hidden) lower(); });

  new MutationObserver((records) => {
    const added = records.flatMap((record) => [...record.addedNodes]).find((node) => node.id === "stage");
    const removed = records.flatMap((record) => [...record.removedNodes]).find((node) => node.id === "stage");
    if (!added) return;
    offer();
    if (removed?.dataset.moves !== added.dataset.moves) add(read(added, plan(removed)));
    else if (screen) raise();
  }).observe(table, { childList: true });

  if (stage()) last = read(stage(), null);
  offer();
})();
