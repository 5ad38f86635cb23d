// After a run of a season the figures of a page are old: the band under the header says so. Other
// pages of the circuit that are open in this browser hear of the run, and look at it themselves.
(() => {
  "use strict";
  const slot = document.getElementById("play");
  const band = document.getElementById("play-band");
  if (!slot || !band || !slot.dataset.load) return;
  const news = "BroadcastChannel" in window ? new BroadcastChannel(`runs ${slot.dataset.load}`) : null;
  const shown = () => band.querySelector("[data-run]");
  const over = (run) => !("active" in run.dataset);
  const state = (run) => run ? `${run.dataset.run} ${over(run)}` : "";
  const desk = document.getElementById("desk"); // it is drawn again, see `play.js`
  const drawn = shown() && over(shown()) ? shown().dataset.run : ""; // had ended before the page was made
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
