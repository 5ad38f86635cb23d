/* Follows a feed of server-sent events while the page is shown.

   A browser opens six connections to a site at most, and every stream takes one. So a hidden page
   closes its stream, and opens it again after the last event received when it is shown.

   The site sends an event at least every 15 seconds, if only a heartbeat. A connection that is
   silent for longer is broken, even if the browser has not noticed, and the stream is opened again.

   address(last)   the URL of the stream, called each time it is opened; `last` is the last event number
   receive(event, end)   an event of the given `type`; `end` stops following
   notice()      a message about the whole broadcast, for example that its results were published early
   opened(), lost(), ended()   the connection is open, broken, or no longer needed */
window.followFeed = ({
  address, receive, type = "card",
  notice = () => null, opened = () => null, lost = () => null, ended = () => null,
}) => {
  if (!window.EventSource) return;
  const QUIET = 25000; // milliseconds without an event after which the connection counts as broken
  const LOOK = 5000; // milliseconds between two checks for a broken connection
  const RETRIES = [2000, 4000, 8000, 16000]; // milliseconds until the next attempt after an error status; the browser repeats others itself
  let source = null;
  let heard = 0;
  let last = "";
  let refusals = 0;
  let retry = 0;
  let over = false;

  const close = () => {
    clearTimeout(retry);
    source?.close();
    source = null;
  };

  const end = () => {
    over = true;
    close();
    ended();
  };

  const open = () => {
    close();
    if (over || document.hidden) return;
    heard = Date.now();
    const line = source = new EventSource(address(last));
    const hears = (name, act) => line.addEventListener(name, (event) => {
      heard = Date.now();
      last = event.lastEventId || last;
      act(event);
    });
    hears(type, (event) => receive(event, end));
    hears("notice", notice);
    hears("heartbeat", () => null);
    hears("open", () => { refusals = 0; opened(); });
    line.addEventListener("end", end);
    line.addEventListener("error", () => {
      lost();
      if (line !== source || line.readyState !== EventSource.CLOSED) return;
      retry = setTimeout(open, RETRIES[Math.min(refusals, RETRIES.length - 1)]);
      refusals += 1;
    });
  };

  addEventListener("online", open);
  addEventListener("pagehide", close);
  addEventListener("pageshow", (back) => { if (back.persisted) open(); });
  document.addEventListener("visibilitychange", () => { if (document.hidden) close(); else open(); });
  setInterval(() => { if (source && Date.now() - heard > QUIET) open(); }, LOOK);
  open();
};
