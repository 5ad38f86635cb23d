// Draws the board again while its text is typed. Without this script it is drawn when the text is saved.
{
  const text = document.querySelector("textarea[name=text]");
  const drawing = document.getElementById("drawing");
  const token = document.querySelector("[name=csrfmiddlewaretoken]");
  let waiting = 0;
  let asked = 0;

  const draw = async () => {
    const mine = ++asked;
    const body = new URLSearchParams({ text: text.value });
    const headers = { "X-CSRFToken": token.value };
    try {
      const answer = await fetch(drawing.dataset.url, { method: "POST", body, headers });
      const html = await answer.text();
      if (answer.ok && mine === asked) drawing.innerHTML = html;
    } catch {
      // the site does not respond: keep the last drawing
    }
  };

  if (text && drawing && token) {
    text.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(draw, 400);
    });
  }
}
