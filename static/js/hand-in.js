// Updates the form for a hand while it is filled in: sums, and marks of players on tiles that are
// ticked for them. The server checks the form with or without this script.
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

// Show number and sum of the tiles under the player's name, or the pips that were typed.
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

// A player who went out has no tiles, so show the tiles of the next player instead.
function pass() {
  const shown = form.querySelector("input[name=who]:checked");
  const all = [...form.querySelectorAll("input[name=who]")];
  all.forEach((who) => (who.closest(".is-who").hidden = isOut(who.value)));
  if (!shown || isOut(shown.value)) {
    const next = all.find((who) => !isOut(who.value));
    if (next) next.checked = true;
  }
}

// Return whether the value of a field has changed since the page was loaded.
function touched(field) {
  if (field.type === "radio" || field.type === "checkbox") return field.checked !== field.defaultChecked;
  return field.type === "text" && field.value !== field.defaultValue;
}

// The Tab key reaches only one tile of each group. Arrow keys move the focus to the other tiles.
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function tilesOf(picker) {
  return [...picker.querySelectorAll(".in-tile input, button.in-tile")].filter((tile) => !tile.disabled);
}

function makeOneStop(picker) {
  const tiles = tilesOf(picker);
  const first = tiles.find((tile) => tile.checked) || tiles[0];
  for (const tile of tiles) tile.tabIndex = tile === first ? 0 : -1;
  picker.setAttribute("aria-describedby", `keys-${picker.closest(".in-step").id}`);
}

// Return the next tile in this direction, or undefined at the edge.
function neighbour(tiles, from, [across, down]) {
  if (across) return tiles[tiles.indexOf(from) + across];
  const here = from.getBoundingClientRect();
  const rows = tiles.map((tile) => ({ tile, box: tile.getBoundingClientRect() }))
    .filter(({ box }) => (box.top - here.top) * down > here.height / 2);
  rows.sort((one, other) => (one.box.top - other.box.top) * down
    || Math.abs(one.box.left - here.left) - Math.abs(other.box.left - here.left));
  return rows[0]?.tile;
}

function goToTile(press) {
  const picker = press.target.closest?.(".in-picker");
  if (!picker || press.ctrlKey || press.metaKey || press.altKey || press.shiftKey) return;
  const tiles = tilesOf(picker);
  let goal = null;
  if (press.key in ARROWS) goal = neighbour(tiles, press.target, ARROWS[press.key]);
  else if (press.key === "Home") goal = tiles[0];
  else if (press.key === "End") goal = tiles[tiles.length - 1];
  else return;
  press.preventDefault();
  goal?.focus();
}

// The Tab key returns to the tile that had the focus last.
function keepStop(focus) {
  const picker = focus.target.closest?.(".in-picker");
  if (!picker) return;
  for (const tile of tilesOf(picker)) tile.tabIndex = tile === focus.target ? 0 : -1;
}

if (form) {
  form.querySelectorAll(".in-picker").forEach(makeOneStop);
  form.addEventListener("keydown", goToTile);
  form.addEventListener("focusin", keepStop);
  form.addEventListener("change", () => {
    pass();
    redraw();
  });
  // Enable the button, because only the server knows whether the changed form can be submitted.
  form.addEventListener("input", () => document.getElementById("send")?.removeAttribute("aria-disabled"));
  // Also handle changes that were made before this script was loaded.
  document.addEventListener("DOMContentLoaded", () => {
    if ([...form.elements].some(touched)) form.dispatchEvent(new Event("change"));
  });
}
