// Buttons for entering dice: each button adds its face to a text field, in which users can also type.
// Values that were not sent survive a reload of the page, unless another player has sent the form.
(() => {
  "use strict";
  const TYPED = ".kp-form :is(.kp-dice, select, input[type=radio])";

  const key = (field) =>
    `keeper ${location.pathname} ${field.form.elements.version.value} ${field.name}`;

  const remember = (field) => {
    try { sessionStorage.setItem(key(field), field.value); } catch { /* no session storage */ }
  };

  const recall = (field) => {
    let value = null;
    try { value = sessionStorage.getItem(key(field)); } catch { /* no session storage */ }
    if (value === null) return;
    if (field.type !== "radio") { field.value ||= value; return; }
    const chosen = [...field.form.elements].some((one) => one.name === field.name && one.checked);
    if (!chosen && field.value === value) field.checked = true;
  };

  const faces = (field) => field.value.replace(/[^1-6]/g, "");

  const counted = (field) => {
    const asked = Number(field.dataset.dice);
    field.classList.toggle("is-full", faces(field).length === asked);
    field.classList.toggle("is-over", faces(field).length > asked);
  };

  const tap = (button) => {
    const field = document.getElementById(button.closest(".kp-pad").dataset.for);
    const now = faces(field);
    const next = button.dataset.face === "" ? now.slice(0, -1) : now + button.dataset.face;
    if (next.length > Number(field.dataset.dice)) return;
    field.value = [...next].join(" ");
    remember(field);
    counted(field);
  };

  const shown = () => {
    document.querySelectorAll(".kp-pad[hidden]").forEach((pad) => { pad.hidden = false; });
    document.querySelectorAll(TYPED).forEach(recall);
    document.querySelectorAll(".kp-dice").forEach(counted);
  };

  document.addEventListener("click", (click) => {
    const button = click.target.closest(".kp-pad [data-face]");
    if (button) tap(button);
  });
  document.addEventListener("input", (input) => {
    if (!input.target.matches(TYPED)) return;
    remember(input.target);
    if (input.target.matches(".kp-dice")) counted(input.target);
  });
  document.addEventListener("htmx:afterSettle", shown);
  shown();
})();
