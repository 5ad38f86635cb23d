// Whether a single key may act now: not with a modifier, not in a field, and not where the visitor
// has switched such shortcuts off. The preference is a cookie, so that shared pages need not know it.
const keysOff = `${document.currentScript.dataset.cookie}=off`;
window.singleKey = (press, key = press.key) =>
  !press.defaultPrevented && !press.ctrlKey && !press.metaKey && !press.altKey && !press.isComposing
  && press.key.toLowerCase() === key.toLowerCase()
  && !press.target.closest("input, textarea, select, [contenteditable]")
  && !document.cookie.split("; ").includes(keysOff);
