/* Follows a feed of server-sent events, and opens it anew after an outage, after silence, and when
   the page comes back.

   address()     where to listen, asked at every opening, so that it can name the last event received
   receive(event, end)   an event of the given `type`; `end` stops following
   notice()      something happened to the broadcast itself
   opened(), lost(), ended()   the connection is open, broken, or no longer needed
   quiet         milliseconds of silence after which it is opened anew */
window.followFeed = ({
  address, receive, type = "card", quiet = 25000,
  notice = () => null, opened = () => null, lost = () => null, ended = () => null,
}) => {
  if (!window.EventSource) return;
  const RETRY = 2000; // milliseconds; the browser itself retries unless it was refused
  let source = null;
  let heard = 0;
  let over = false;

  const end = () => {
    over = true;
    source?.close();
    ended();
  };

  const open = () => {
    if (over) return;
    source?.close();
    heard = Date.now();
    const line = source = new EventSource(address());
    line.addEventListener(type, (event) => { heard = Date.now(); receive(event, end); });
    line.addEventListener("notice", notice);
    line.addEventListener("end", end);
    line.addEventListener("open", () => { heard = Date.now(); opened(); });
    line.addEventListener("error", () => {
      lost();
      if (line === source && line.readyState === EventSource.CLOSED) setTimeout(open, RETRY);
    });
  };

  const openIfQuiet = () => { if (Date.now() - heard > quiet) open(); };

  addEventListener("online", open);
  addEventListener("pagehide", () => source?.close());
  addEventListener("pageshow", (back) => { if (back.persisted) open(); });
  document.addEventListener("visibilitychange", () => { if (!document.hidden) openIfQuiet(); });
  setInterval(openIfQuiet, 5000);
  open();
};
