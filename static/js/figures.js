// When a run of a season has ended, the figures on an open page are outdated, and the band under the
// header says so. Other pages of the circuit in this browser receive the run's number, and load its
// state themselves.
(() => {
  "use strict";
  const slot = document.getElementById("play");
  const band = document.getElementById("play-band");
  if (!slot || !band || !slot.dataset.load) return;
  const news = "BroadcastChannel" in window ? new BroadcastChannel(`runs ${slot.dataset.load}`) : null;
  const shown = () => band.querySelector("[data-run]");
  const over = (run) => !("active" in run.dataset);
  const state = (run) => run ? `${run.dataset.run} ${over(run)}` : "";
  const desk = document.getElementById("desk"); // `play.js` renders it again, so it is not outdated
  const drawn = shown() && over(shown()) ? shown().dataset.run : ""; // run that had ended before the page was loaded
  let told = state(shown());

  function look() {
    const run = shown();
    if (!run) return;
    const note = band.querySelector("[data-changed]");
    if (note) note.hidden = Boolean(desk) || run.dataset.run === drawn;
    if (state(run) === told) return;
    told = state(run);
    news?.postMessage(run.dataset.run);
  }

  new MutationObserver(look).observe(band, { childList: true });
  news?.addEventListener("message", (message) => {
    document.dispatchEvent(new CustomEvent("run-seen", { detail: message.data }));
  });
})();
