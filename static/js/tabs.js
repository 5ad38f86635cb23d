// Tabs that are wider than a phone start with the current one in view.
for (const tab of document.querySelectorAll(".tabs > [aria-current]")) {
  const row = tab.parentElement;
  row.scrollLeft = tab.offsetLeft - row.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2;
}
