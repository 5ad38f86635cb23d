/* Draws the hundred numbers of a matador's card while its ranges are typed.

Without this script the ranges are text fields, and the server reports mistakes. With it, a number
in no range or in two ranges is reported at its field at once, and the form can only be saved
without mistakes. Up and Down in a field move the upper end of its range, and the lower end of the
next range with it. The ends can also be dragged on the bar. */
"use strict";

(() => {
  const OUTCOMES = ["bronca", "pitos", "silencio", "division", "aplausos", "ovacion", "oreja", "dos_orejas", "rabo"];
  const OWN = ["vuelta", "aviso", "indulto"];
  const SVG = "http://www.w3.org/2000/svg";
  const SAVES = "input[name=_save], input[name=_continue], input[name=_addanother]";
  const WRITTEN = /^([0-9]{1,3})(?:-([0-9]{1,3}))?$/;
  const PAUSE = 400; // milliseconds without a change before a message for screen readers appears

  /** Parse a range: {low, high}, null if the text is empty, or an error message as a string. */
  function read(text, words) {
    const bare = text.trim();
    if (bare === "" || bare === "-") return null;
    const found = WRITTEN.exec(bare);
    if (!found) return words.none.replace("%s", bare);
    const low = Number(found[1]), high = Number(found[2] ?? found[1]);
    return low >= 1 && low <= high && high <= 100 ? { low, high } : words.bounds.replace("%s", bare);
  }

  const written = (range) => (range.low === range.high ? `${range.low}` : `${range.low}-${range.high}`);

  /** Format ascending numbers as text: 3-5, 9. */
  function spans(numbers) {
    const parts = [];
    for (const number of numbers) {
      const last = parts.at(-1);
      if (last && last.high === number - 1) last.high = number;
      else parts.push({ low: number, high: number });
    }
    return parts.map(written).join(", ");
  }

  /** The ranges that contain each number, and the mistakes by field. */
  function judge(ranges, words) {
    const owners = Array.from({ length: 101 }, () => []);
    const faults = new Map();
    for (const [name, range] of Object.entries(ranges)) {
      if (typeof range === "string") faults.set(name, range);
      else if (range && OUTCOMES.includes(name)) {
        for (let number = range.low; number <= range.high; number += 1) owners[number].push(name);
      }
    }
    if (faults.size) return { owners, faults };
    for (const name of OUTCOMES) {
      const shared = owners.findIndex((names) => names.length > 1 && names.includes(name));
      if (shared < 0) continue;
      const one = owners[shared].find((other) => other !== name);
      const both = spans(owners.flatMap((names, at) => (names.includes(name) && names.includes(one) ? [at] : [])));
      const said = words.both.replace("%(numbers)s", both);
      faults.set(name, said.replace("%(one)s", words.names[name]).replace("%(other)s", words.names[one]));
    }
    const gaps = owners.flatMap((names, at) => (at && !names.length ? [at] : []));
    if (gaps.length) {
      const before = OUTCOMES.find((name) => ranges[name]?.high === gaps[0] - 1) ?? OUTCOMES[0];
      if (!faults.has(before)) faults.set(before, words.gap.replace("%s", spans(gaps)));
    }
    return { owners, faults };
  }

  function rect(name, x, width) {
    const drawn = document.createElementNS(SVG, "rect");
    for (const [key, value] of Object.entries({ class: name, x, width, height: 10 })) drawn.setAttribute(key, value);
    return drawn;
  }

  function drawing(cls) {
    const drawn = document.createElementNS(SVG, "svg");
    drawn.setAttribute("class", cls);
    drawn.setAttribute("viewBox", "0 0 100 10");
    drawn.setAttribute("preserveAspectRatio", "none");
    drawn.setAttribute("aria-hidden", "true");
    return drawn;
  }

  function enhance(box) {
    const words = JSON.parse(box.dataset.words);
    const inputs = Object.fromEntries([...box.querySelectorAll("input[data-range]")].map((input) => [input.dataset.range, input]));
    if (!inputs.oreja) return;
    const said = box.querySelector("[data-said]");
    const bar = drawing("hundred live");
    box.querySelector("[data-bar]").replaceChildren(bar);
    const small = Object.fromEntries(OWN.map((name) => [name, box.querySelector(`[data-own="${name}"]`)]));
    const whys = Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, reason(input)]));
    const saves = box.closest("form").querySelectorAll(SAVES);
    let quiet = 0;

    const ranges = () => Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, read(input.value, words)]));
    const fields = () => [...box.querySelectorAll("input[type=number], input[data-range]")];
    const untouched = () => fields().every((input) => ["", "-"].includes(input.value.trim()));

    function show() {
      const now = ranges();
      const { owners, faults } = judge(now, words);
      if (untouched()) faults.clear();
      draw(bar, owners);
      for (const name of OWN) drawOwn(small[name], name, now[name]);
      for (const [name, input] of Object.entries(inputs)) tell(input, whys[name], faults.get(name) ?? "");
      for (const save of saves) save.disabled = faults.size > 0;
      clearTimeout(quiet);
      quiet = setTimeout(() => announce(faults), PAUSE);
    }

    function announce(faults) {
      const [first] = faults;
      said.textContent = first ? `${words.names[first[0]]}: ${first[1]}` : words.fine;
      said.classList.toggle("bad", faults.size > 0);
    }

    /** Move the upper end of a range by one, and the lower end of the next range with it. */
    function move(name, step) {
      const now = ranges(), range = now[name];
      if (!range || typeof range === "string") return false;
      const high = range.high + step;
      if (high < range.low || high > 100) return false;
      const next = OUTCOMES.includes(name) && OUTCOMES.find((other) => now[other]?.low === range.high + 1);
      if (next) {
        const low = now[next].low + step;
        if (low > now[next].high) return false;
        inputs[next].value = written({ low, high: now[next].high });
      }
      inputs[name].value = written({ low: range.low, high });
      return true;
    }

    for (const [name, input] of Object.entries(inputs)) {
      input.title = words.keys;
      input.addEventListener("input", show);
      input.addEventListener("change", show);
      input.addEventListener("keydown", (event) => {
        if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
        event.preventDefault();
        for (let left = event.shiftKey ? 5 : 1; left; left -= 1) move(name, event.key === "ArrowUp" ? 1 : -1);
        show();
      });
    }
    drag(bar, ranges, move, inputs, show);
    show();
  }

  /** Return the line under a field for its error message. */
  function reason(input) {
    const why = document.createElement("small");
    why.className = "why";
    why.id = `${input.id}_why`;
    input.insertAdjacentElement("afterend", why);
    return why;
  }

  function tell(input, why, fault) {
    why.textContent = fault;
    if (fault) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
    const others = (input.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => id && id !== why.id);
    input.setAttribute("aria-describedby", [...others, why.id].join(" "));
  }

  function draw(bar, owners) {
    const cells = [];
    for (let number = 1; number <= 100; number += 1) {
      const names = owners[number];
      const cls = names.length === 1 ? names[0] : names.length ? "both" : "gap";
      const last = cells.at(-1);
      if (last && last.cls === cls) last.width += 1;
      else cells.push({ cls, x: number - 1, width: 1 });
    }
    bar.replaceChildren(...cells.map((cell) => rect(cell.cls, cell.x, cell.width)));
  }

  function drawOwn(place, name, range) {
    if (!place) return;
    const bar = drawing("hundred small");
    bar.append(rect("track", 0, 100));
    if (range && typeof range !== "string") bar.append(rect(name, range.low - 1, range.high - range.low + 1));
    place.replaceChildren(bar);
  }

  /** Let users drag the ends of ranges on the bar. A click on a number focuses its field. */
  function drag(bar, ranges, move, inputs, show) {
    let held = "";
    const number = (event) => {
      const room = bar.getBoundingClientRect();
      return Math.min(100, Math.max(0, Math.round((100 * (event.clientX - room.left)) / room.width)));
    };
    bar.addEventListener("pointerdown", (event) => {
      const at = number(event), now = ranges();
      held = OUTCOMES.find((name) => now[name]?.high < 100 && Math.abs(now[name].high - at) <= 2) ?? "";
      const owner = OUTCOMES.find((name) => now[name]?.low <= at + 1 && at < now[name]?.high);
      if (held || owner) inputs[held || owner].focus({ preventScroll: true });
      if (held) bar.setPointerCapture(event.pointerId);
      event.preventDefault();
    });
    bar.addEventListener("pointermove", (event) => {
      if (!held) return;
      const at = number(event);
      while (ranges()[held].high < at && move(held, 1));
      while (ranges()[held].high > at && move(held, -1));
      show();
    });
    for (const end of ["pointerup", "pointercancel"]) bar.addEventListener(end, () => { held = ""; });
  }

  for (const box of document.querySelectorAll("[data-ranges]")) enhance(box);
})();
