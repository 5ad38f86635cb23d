// Keyboard control for entering cards: type a digit, then the number of the card. Backspace undoes.
// Taps work without this script. It also updates the totals of the scoresheet while users type. The
// server checks the scoresheet.
"use strict";

const AT_ONCE = "input:not([type=radio]), textarea, select";

function pad() {
  return document.getElementById("pad");
}

function chosen() {
  return pad().querySelector("input[name=digit]:checked");
}

function candidates() {
  const digit = chosen();
  return digit ? [...pad().querySelectorAll(`.tt-hand[data-digit="${digit.value}"] .tt-card`)] : [];
}

function choose(digit) {
  const key = pad().querySelector(`input[name=digit][value="${digit}"]:not(:disabled)`);
  if (key) key.checked = true;
}

function step(by) {
  const cards = candidates();
  if (!cards.length) return;
  const at = cards.indexOf(document.activeElement);
  cards[(at + by + cards.length) % cards.length].focus();
}

function lay(place) {
  const card = candidates()[place];
  if (card) card.click();
}

const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

function back() {
  const digit = chosen();
  if (digit) digit.checked = false;
  else document.getElementById("tt-back").click();
}

function typed(event) {
  if (!pad() || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches(AT_ONCE)) return;
  if (/^[0-9]$/.test(event.key)) {
    if (chosen()) lay(Number(event.key) - 1);
    else choose(event.key);
  } else if (event.key in STEPS) step(STEPS[event.key]);
  else if (event.key === "Backspace") back();
  else if (event.key === "Enter" && !event.target.matches("button, a")) lay(0);
  else return;
  event.preventDefault();
}

// Add up points as people write them: a sum or several entries, with a B before points of the bull.
function sum(text) {
  const parts = text.replace(/[−–]/g, "-").split(/[\s,]+/).filter(Boolean);
  const numbers = parts.map((part) => Number(part.replace(/^[Bb]/, "")));
  return numbers.reduce((total, number) => total + number, 0);
}

function signed(number, side) {
  if (Number.isNaN(number)) return "?";
  const text = String(Math.abs(number));
  const sign = number < 0 ? "−" : number > 0 && side === "0" ? "+" : "";
  return (side === "1" ? "B" : "") + sign + text;
}

function total() {
  for (const output of document.querySelectorAll("output[data-total]")) {
    const side = output.dataset.total;
    const fields = [...document.querySelectorAll(`#tt-form input[data-side="${side}"]`)];
    const written = fields.some((field) => field.value.trim());
    output.textContent = written ? signed(sum(fields.map((field) => field.value).join(" ")), side) : "";
  }
}

document.addEventListener("keydown", typed);
document.addEventListener("input", total);
document.addEventListener("htmx:afterSwap", total);
total();
