// Tabs that are wider than a phone start with the current one in view. Only the row is scrolled: the
// property `scroll-initial-target` would scroll the page as well.
const CURRENT = ".tabs > [aria-current], .chips [aria-current]";
for (const tab of document.querySelectorAll(CURRENT)) {
  const row = tab.closest(".tabs, ul");
  const way = tab.getBoundingClientRect().left - row.getBoundingClientRect().left;
  row.scrollLeft += way - (row.clientWidth - tab.offsetWidth) / 2;
}
