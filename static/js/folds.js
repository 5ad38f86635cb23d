// Details elements are closed on phones and open on wide screens. Without this script, style sheets show their content.
(() => {
  const wide = matchMedia("(min-width: 64rem)");
  const folds = document.querySelectorAll("details.dg-fold:not([open])");
  const apply = () => {
    for (const fold of folds) {
      fold.open = wide.matches;
      fold.querySelector("summary").tabIndex = wide.matches ? -1 : 0;
    }
  };
  apply();
  wide.addEventListener("change", apply);
})();
