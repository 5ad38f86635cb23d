// Follows events: the stream only says that there are new events, and the page's own URL returns them.
(() => {
  const list = document.getElementById("happenings");
  if (!list) return;
  const PAUSE = 2000; // minimum of milliseconds between two requests
  let asked = 0, planned = null;

  const look = async () => {
    planned = null;
    asked = Date.now();
    try {
      const answer = await fetch(location.href, { headers: { "HX-Request": "true" } });
      if (answer.ok) list.innerHTML = await answer.text();
    } catch {
      // The site does not respond. The next event starts another request.
    }
  };

  followFeed({
    address: (last) => `${list.dataset.stream}?after=${last || list.dataset.newest}`,
    type: "message",
    receive: () => {
      if (planned === null) planned = setTimeout(look, Math.max(0, asked + PAUSE - Date.now()));
    },
  });
})();
