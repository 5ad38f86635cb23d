/* The connection to the site: says that it is lost, keeps what was sent meanwhile, and sends it once
   the connection is back. A page that waits for that is never left, so the browser's own page of an
   error does not replace what was typed.

   connection.lost(), connection.back()    from a feed that breaks and comes back
   connection.send(address, data)          a promise of the answer; null if the visitor discards it

   Forms with `data-keep` are sent like that. The attempt has a number: if the site has received it
   already and only the answer was lost, it is not performed again. */
window.connection = (() => {
  "use strict";
  const PAUSES = [1000, 2000, 4000, 8000]; // milliseconds before the next attempt; the last one repeats
  const LOST_AFTER = 1500; // milliseconds: a feed that is open again after a shorter time was not lost
  const CHECK_EVERY = 10000; // milliseconds between two looks whether only the feed is missing
  const BACK_FOR = 5000; // milliseconds for which a page says that the connection is back
  const BUSY = [429, 502, 503, 504]; // the site or its proxy is unavailable for a short time
  const REFUSED = [401, 403, 404]; // the session may have ended
  const MAX_FAILURES = 3; // attempts that end in another error of the site, before one is asked
  const { login } = document.currentScript.dataset;

  const note = document.createElement("div");
  note.className = "wrap connection";
  note.id = "connection";
  note.setAttribute("role", "status");
  document.getElementById("main").before(note);

  let isLost = false;
  let pending = 0; // what waits to be sent
  let suspected = 0; // timers
  let shown = 0;
  let choices = {}; // what the buttons of the note do

  /* Show one of the notes of the page, with the reason that the site gave. The same note is not
     written again, or screen readers would read it at every attempt. */
  function say(name, reason = "", given = {}) {
    choices = given;
    clearTimeout(shown);
    if (note.dataset.says === name + reason) return;
    note.dataset.says = name + reason;
    const words = document.getElementById(`connection-${name}`).content.cloneNode(true);
    const why = words.querySelector("[data-reason]");
    if (why) why.textContent = reason;
    note.replaceChildren(words);
  }

  note.addEventListener("click", (click) => {
    const { choice } = click.target.closest("button")?.dataset ?? {};
    if (choice) choices[choice]?.();
  });

  function hush() {
    clearTimeout(shown);
    delete note.dataset.says;
    note.replaceChildren();
  }

  function lost() {
    if (isLost) return;
    isLost = true;
    if (!pending) say("lost");
  }

  function back() {
    clearTimeout(suspected);
    suspected = 0;
    if (!isLost) return;
    isLost = false;
    if (!pending) {
      say("back");
      shown = setTimeout(hush, BACK_FOR);
    }
    document.dispatchEvent(new Event("connection:back"));
  }

  const reach = () => fetch(location.href, { method: "HEAD", credentials: "same-origin" })
    .then((answer) => !BUSY.includes(answer.status), () => false);

  /* A feed has broken. Most are opened again at once, and the site may be there without it. */
  function suspect() {
    if (isLost || suspected) return;
    suspected = setTimeout(async () => {
      const found = await reach();
      suspected = found ? setTimeout(() => { suspected = 0; }, CHECK_EVERY) : 0;
      if (!found) { lost(); setTimeout(probe, PAUSES[2]); }
    }, LOST_AFTER);
  }

  /* ---- sending ---- */
  const number = () => [...crypto.getRandomValues(new Uint32Array(4))].map((one) => one.toString(36)).join("-");

  /* Wait for the next attempt. False: the visitor has discarded what was to be sent. */
  function nextAttempt(name, reason, pause) {
    return new Promise((resolve) => {
      let clock = 0;
      const done = (goOn) => {
        clearTimeout(clock);
        removeEventListener("online", again);
        document.removeEventListener("connection:back", again);
        resolve(goOn);
      };
      const again = () => done(true);
      if (name === "kept") {
        addEventListener("online", again);
        document.addEventListener("connection:back", again);
      }
      if (pause) clock = setTimeout(again, pause);
      say(name, reason, { again, discard: () => { hush(); done(false); } });
    });
  }

  const isLogin = (where) => Boolean(where) && new URL(where, location.href).pathname === login;

  async function reasonOf(answer) {
    const page = new DOMParser().parseFromString(await answer.clone().text(), "text/html");
    return page.querySelector(".lede, .tab-note.is-stale")?.textContent.trim().replace(/\s+/g, " ") ?? "";
  }

  /* Who signs in again, in another tab, gets another token. */
  async function renewToken(data) {
    const answer = await fetch(location.href, { credentials: "same-origin" }).catch(() => null);
    if (!answer?.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const token = page.querySelector("input[name=csrfmiddlewaretoken]")?.value;
    if (!token) return;
    data.set("csrfmiddlewaretoken", token);
    document.querySelectorAll("input[name=csrfmiddlewaretoken]").forEach((field) => { field.value = token; });
  }

  async function attempt(address, data, headers) {
    let failures = 0;
    for (let count = 0; ; count += 1) {
      const answer = await fetch(address, { method: "POST", body: data, headers, credentials: "same-origin" })
        .catch(() => null);
      const pause = PAUSES[Math.min(count, PAUSES.length - 1)];
      let goOn = true;
      if (!answer || BUSY.includes(answer.status)) {
        isLost = true;
        const seconds = Number(answer?.headers.get("Retry-After")) || 0;
        goOn = await nextAttempt("kept", answer ? await reasonOf(answer) : "", Math.max(pause, 1000 * seconds));
      } else if (REFUSED.includes(answer.status) || isLogin(answer.headers.get("HX-Redirect"))) {
        goOn = await nextAttempt("refused", await reasonOf(answer), 0);
        if (goOn) await renewToken(data);
      } else if (answer.status >= 500) {
        failures += 1;
        goOn = await nextAttempt("failed", "", failures < MAX_FAILURES ? pause : 0);
      } else return answer;
      if (!goOn) return null;
    }
  }

  async function send(address, data) {
    const headers = { "HX-Request": "true", "X-Attempt": number() };
    pending += 1;
    const answer = await attempt(address, data, headers).finally(() => { pending -= 1; });
    if (answer) { hush(); back(); }
    else if (isLost) { say("lost"); setTimeout(probe, PAUSES[1]); }
    return answer;
  }

  /* Load the page that an answer leads to. A jump within the page would not load it, so the part to
     show comes afterwards. */
  let leaving = false;
  const ANCHOR = "connection anchor";
  function follow(where) {
    const goal = new URL(where, location.href);
    try { sessionStorage.setItem(ANCHOR, goal.hash); } catch { /* a browser that keeps nothing */ }
    goal.hash = "";
    location.assign(goal.href.replace(/#$/, ""));
  }

  try {
    const anchor = sessionStorage.getItem(ANCHOR);
    sessionStorage.removeItem(ANCHOR);
    if (anchor && !location.hash) location.replace(anchor);
  } catch { /* as above */ }

  async function sendForm(form, button) {
    form.dataset.pending = "";
    window.htmx?.trigger(form, "htmx:abort"); // what was asked on the way must not come after it
    try {
      const answer = await send(button?.hasAttribute("formaction") ? button.formAction : form.action, new FormData(form, button));
      if (!answer) return;
      const where = answer.headers.get("HX-Redirect");
      leaving = true;
      if (where) follow(where);
      else location.reload();
    } finally {
      if (!leaving) delete form.dataset.pending;
    }
  }

  document.addEventListener("submit", (submit) => {
    const form = submit.target;
    if (submit.defaultPrevented || form.method !== "post") return;
    if ("pending" in form.dataset) { submit.preventDefault(); return; }
    if ("keep" in form.dataset) {
      submit.preventDefault();
      sendForm(form, submit.submitter);
    } else if (!navigator.onLine) { // the form is still there when the connection is back
      submit.preventDefault();
      const { submitter } = submit;
      form.dataset.pending = "";
      pending += 1;
      nextAttempt("kept", "", 0).then((goOn) => {
        delete form.dataset.pending;
        pending -= 1;
        if (goOn && form.isConnected) form.requestSubmit(submitter?.isConnected ? submitter : null);
      });
    }
  });

  /* ---- what htmx sends ---- */
  document.addEventListener("htmx:beforeRequest", (asked) => {
    if ("pending" in asked.target.dataset) asked.preventDefault();
  });

  let waiting = null; // the last of its requests that did not get through
  document.addEventListener("htmx:sendError", ({ detail }) => {
    const { elt, requestConfig } = detail;
    if (requestConfig.verb === "get") return;
    waiting = { form: elt.closest("form"), submitter: requestConfig.triggeringEvent?.submitter };
    lost();
    setTimeout(probe, PAUSES[1]);
  });

  let probing = false;
  async function probe() {
    if (!isLost || pending || probing) return;
    probing = true;
    const found = await reach();
    probing = false;
    if (found) back();
    else setTimeout(probe, PAUSES[2]);
  }

  document.addEventListener("connection:back", () => {
    const { form, submitter } = waiting ?? {};
    waiting = null;
    if (!form?.isConnected) return;
    if (submitter?.isConnected) form.requestSubmit(submitter);
    else form.dispatchEvent(new Event("change", { bubbles: true })); // the referee reads it again
  });

  addEventListener("offline", lost);
  addEventListener("online", () => { if (isLost && !pending) probe(); });
  addEventListener("pageshow", () => { // also a page that is gone back to
    leaving = false;
    document.querySelectorAll("form[data-pending]").forEach((form) => { delete form.dataset.pending; });
  });
  addEventListener("beforeunload", (leave) => { if (pending && !leaving) leave.preventDefault(); });
  if (!navigator.onLine) lost();

  return { lost: suspect, back, send };
})();
