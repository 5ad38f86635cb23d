// Returns whether a key press is a shortcut of one key: no modifier key is pressed, no field has the
// focus, and the visitor has not switched shortcuts off. This preference is stored in a cookie, so
// that cached pages do not depend on it.
const keysOff = `${document.currentScript.dataset.cookie}=off`;
window.singleKey = (press, key = press.key) =>
  !press.defaultPrevented && !press.ctrlKey && !press.metaKey && !press.altKey && !press.isComposing
  && press.key.toLowerCase() === key.toLowerCase()
  && !press.target.closest("input, textarea, select, [contenteditable]")
  && !document.cookie.split("; ").includes(keysOff);
