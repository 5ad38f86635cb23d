// Follows what happens: the stream says that there is something, the page's own address what.
(() => {
  const list = document.getElementById("happenings");
  if (!list) return;
  const PAUSE = 2000; // milliseconds between two looks, however much happens
  let asked = 0, planned = null;

  const look = async () => {
    planned = null;
    asked = Date.now();
    try {
      const answer = await fetch(location.href, { headers: { "HX-Request": "true" } });
      if (answer.ok) list.innerHTML = await answer.text();
    } catch {
      // Away for a moment: the next event asks again.
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
