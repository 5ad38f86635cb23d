/* Replaces buttons for passkeys by a message if passkeys cannot work. */
(() => {
  "use strict";
  const LOCAL = ["127.0.0.1", "[::1]"]; // passkeys need the name localhost instead of these addresses
  const NUMBERS = /^([\d.]+|\[.*\])$/;

  /* The ids of the buttons are in the data of their scripts. Links lead to pages with such buttons. */
  const ids = [...document.querySelectorAll("script[data-allauth-onload^='allauth.webauthn']")]
    .flatMap((data) => Object.values(JSON.parse(data.textContent).ids));
  const buttons = ids.map((id) => document.getElementById(id)).filter((one) => one?.matches("button"));
  const links = [...document.querySelectorAll("a[href*='/2fa/webauthn/add/'], a[href*='/signup/passkey/']")];

  function say(name, place) {
    document.querySelectorAll("[data-passkeys]").forEach((said) => said.remove());
    const sentence = document.getElementById(`passkeys-${name}`).content.cloneNode(true).firstElementChild;
    sentence.dataset.passkeys = name;
    const link = sentence.querySelector("a");
    if (link) {
      link.href = Object.assign(new URL(location.href), { hostname: "localhost" }).href;
      link.textContent = new URL(link.href).origin;
    }
    place.before(sentence);
  }

  function hindrance() {
    if (LOCAL.includes(location.hostname)) return "local";
    if (!isSecureContext || NUMBERS.test(location.hostname)) return "address";
    return window.PublicKeyCredential ? "" : "browser";
  }

  const reason = hindrance();
  const offers = [...buttons, ...links];
  if (reason && offers.length) {
    say(reason, offers[0]);
    offers.forEach((offer) => { offer.hidden = true; });
  }

  document.addEventListener("allauth.error", (failed) => {
    if (!failed.detail.tags.includes("webauthn") || !buttons.length) return;
    const { name } = failed.detail.exception;
    say(name === "SecurityError" ? "address" : "failed", buttons[0]);
    if (name === "NotAllowedError" || name === "SecurityError") failed.preventDefault(); // not a fault of the site
  });
})();
