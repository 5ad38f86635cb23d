// The form for a hand, at once: sums, letters on tiles somebody else holds. The referee itself
// answers from the server, with or without this file.
"use strict";

const form = document.getElementById("in-form");

function ticked(hand) {
  return [...hand.querySelectorAll("input[type=checkbox]:checked")];
}

function pipsOf(value) {
  return value.split("|").reduce((sum, half) => sum + Number(half), 0);
}

function owners() {
  const found = new Map();
  for (const hand of form.querySelectorAll(".in-hand")) {
    if (isOut(hand.dataset.seat)) continue;
    for (const box of ticked(hand)) {
      found.set(box.value, [...(found.get(box.value) || []), hand.dataset.seat]);
    }
  }
  return found;
}

function isOut(seat) {
  const out = form.querySelector("input[name=out]:checked");
  return Boolean(out) && out.value === seat;
}

function markOf(seat) {
  return form.querySelector(`.is-who[data-seat="${seat}"] .mk`);
}

function letter(label, seat, found) {
  const others = (found.get(label.dataset.tile) || []).filter((other) => other !== seat);
  const mine = label.querySelector("input").checked;
  label.classList.toggle("is-taken", others.length > 0 && !mine);
  label.classList.toggle("is-twice", others.length > 0 && mine);
  label.querySelectorAll(":scope > .mk").forEach((mark) => mark.remove());
  for (const other of others) label.append(markOf(other).cloneNode(true));
}

function count(hand) {
  const boxes = ticked(hand);
  const sum = boxes.reduce((total, box) => total + pipsOf(box.value), 0);
  const numbers = hand.querySelectorAll(".in-told .lg-num");
  numbers[0].textContent = boxes.length;
  numbers[1].textContent = sum;
  chip(hand, boxes.length, sum);
}

// What the chip says under a name: the same figures, or the pips that were typed.
function chip(hand, tiles, sum) {
  const typed = hand.querySelector(".in-sum input").value.trim();
  const small = form.querySelector(`.is-who[data-seat="${hand.dataset.seat}"] .in-count`);
  const words = hand.querySelector(".in-told").textContent.replace(/\s+/g, " ").trim();
  small.textContent = tiles ? words : typed;
}

function redraw() {
  const found = owners();
  for (const hand of form.querySelectorAll(".in-hand")) {
    count(hand);
    for (const label of hand.querySelectorAll(".in-tile")) letter(label, hand.dataset.seat, found);
    const who = form.querySelector(`.is-who[data-seat="${hand.dataset.seat}"]`);
    who.classList.toggle("is-bad", Boolean(hand.querySelector(".is-twice")));
  }
}

// Whoever went out has no tiles: the next player's are shown.
function pass() {
  const shown = form.querySelector("input[name=who]:checked");
  const all = [...form.querySelectorAll("input[name=who]")];
  all.forEach((who) => (who.closest(".is-who").hidden = isOut(who.value)));
  if (!shown || isOut(shown.value)) {
    const next = all.find((who) => !isOut(who.value));
    if (next) next.checked = true;
  }
}

// Whether something was tapped or typed since the page was written.
function touched(field) {
  if (field.type === "radio" || field.type === "checkbox") return field.checked !== field.defaultChecked;
  return field.type === "text" && field.value !== field.defaultValue;
}

if (form) {
  form.addEventListener("change", () => {
    pass();
    redraw();
  });
  // Who was quicker than this file is answered all the same.
  document.addEventListener("DOMContentLoaded", () => {
    if ([...form.elements].some(touched)) form.dispatchEvent(new Event("change"));
  });
}
