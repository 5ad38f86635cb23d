// Scrolls a row of tabs that is wider than the screen to the current tab. The CSS property
// `scroll-initial-target` is not used, because it would scroll the page as well.
const CURRENT = ".tabs > [aria-current], .ac-nav [aria-current], .hp-kinds [aria-current]";
for (const tab of document.querySelectorAll(CURRENT)) {
  const row = tab.closest(".tabs, ul");
  const way = tab.getBoundingClientRect().left - row.getBoundingClientRect().left;
  row.scrollLeft += way - (row.clientWidth - tab.offsetWidth) / 2;
}
