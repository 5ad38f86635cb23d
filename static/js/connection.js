/* Shows a message if the connection to the site is lost, and sends forms again when it is back. The
   page stays open meanwhile, so that no error page of the browser replaces what was typed.

   connection.lost(), connection.back()    report that a feed has broken or is open again
   connection.send(address, data)          a promise of the response; null if the visitor discards it

   Forms with `data-keep` are sent in this way. All attempts to send a form have the same number, so
   the site performs the action only once even if its first response was lost. */
window.connection = (() => {
  "use strict";
  const PAUSES = [1000, 2000, 4000, 8000]; // milliseconds before the next attempt; the last one repeats
  const LOST_AFTER = 1500; // milliseconds: a feed that is open again after a shorter time was not lost
  const CHECK_EVERY = 10000; // milliseconds between two checks whether the site responds
  const BACK_FOR = 5000; // milliseconds for which a page says that the connection is back
  const BUSY = [429, 502, 503, 504]; // the site or its proxy is unavailable for a short time
  const REFUSED = [401, 403, 404]; // the session may have ended
  const MAX_FAILURES = 3; // after so many server errors, the visitor must start the next attempt
  const { login } = document.currentScript.dataset;

  const note = document.createElement("div");
  note.className = "wrap connection";
  note.id = "connection";
  note.setAttribute("role", "status");
  document.getElementById("main").before(note);

  let isLost = false;
  let pending = 0; // number of forms that wait to be sent
  let suspected = 0; // timer of the check after a feed has broken
  let shown = 0; // timer that removes the message
  let choices = {}; // functions of the buttons in the message, by name

  /* Show one of the messages of the page, with the reason in the site's response. A message that is
     already shown is not changed, because screen readers would read it again at every attempt. */
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

  /* A feed has broken. Wait first, because most feeds are open again at once. Then check whether the
     site responds, because the connection is only lost if it does not. */
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

  /* Wait for the next attempt. Resolves to false if the visitor discards the form. */
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

  /* Use the new CSRF token if the visitor has signed in again in another tab. */
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

  /* Load the page to which a response redirects. If only the fragment of the URL differed, the browser
     would not load the page, so the fragment is added after loading. */
  let leaving = false;
  const ANCHOR = "connection anchor";
  function follow(where) {
    const goal = new URL(where, location.href);
    try { sessionStorage.setItem(ANCHOR, goal.hash); } catch { /* the browser has no session storage */ }
    goal.hash = "";
    location.assign(goal.href.replace(/#$/, ""));
  }

  try {
    const anchor = sessionStorage.getItem(ANCHOR);
    sessionStorage.removeItem(ANCHOR);
    if (anchor && !location.hash) location.replace(anchor);
  } catch { /* the browser has no session storage */ }

  async function sendForm(form, button) {
    form.dataset.pending = "";
    window.htmx?.trigger(form, "htmx:abort"); // a pending preview must not arrive after the response
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
    } else if (!navigator.onLine) { // send the form when the connection is back
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

  /* ---- requests of htmx ---- */
  document.addEventListener("htmx:beforeRequest", (asked) => {
    if ("pending" in asked.target.dataset) asked.preventDefault();
  });

  let waiting = null; // form and button of the last htmx request that failed
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
    else form.dispatchEvent(new Event("change", { bubbles: true })); // request the preview again
  });

  addEventListener("offline", lost);
  addEventListener("online", () => { if (isLost && !pending) probe(); });
  addEventListener("pageshow", () => { // the browser may restore the page from its cache
    leaving = false;
    document.querySelectorAll("form[data-pending]").forEach((form) => { delete form.dataset.pending; });
  });
  addEventListener("beforeunload", (leave) => { if (pending && !leaving) leave.preventDefault(); });
  if (!navigator.onLine) lost();

  return { lost: suspect, back, send };
})();
