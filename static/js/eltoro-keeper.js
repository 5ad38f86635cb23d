// Dice are tapped in: a pad of faces writes into its field, which can be typed into as well.
(() => {
  "use strict";
  const shown = () => {
    document.querySelectorAll(".kp-pad[hidden]").forEach((pad) => { pad.hidden = false; });
    document.querySelectorAll(".kp-dice").forEach(counted);
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
    counted(field);
  };

  document.addEventListener("click", (click) => {
    const button = click.target.closest(".kp-pad [data-face]");
    if (button) tap(button);
  });
  document.addEventListener("input", (input) => {
    if (input.target.matches(".kp-dice")) counted(input.target);
  });
  document.addEventListener("htmx:afterSettle", shown);
  shown();
})();
