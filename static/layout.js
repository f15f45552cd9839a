/* Reference and canvas share one size: a whole number of device pixels for each pixel of the task, as large as the
   column and the window allow. */

const GAP = 24, CAPTION = 48, FOOT = 24, SMALLEST = 300;
const WIDE_DOCK = 980; // below this the dock leaves its brush preview out
const LEAST_WIDE = 680; // what the row above the pictures needs
const ROW_DOCK = 1008; // below this, under the pictures, the colours have a row of their own

/**
 * Keep `--pic` (side of a picture), `--rail` and `--wide` of the host up to date.
 * `grid` holds the pictures, `below` stands under them, `rail` is the width [least, most] of what stands beside them and
 * `bar` the height of what covers a phone's lower edge. Returns {refit(size)}; `changed({side, unit})` is told of the side in CSS px and of device px per canvas pixel.
 */
export function pictureLayout(host, changed, { grid, below, rail: [least, most], bar = 0 }) {
  let size = 128, last = "";

  function fit() {
    const style = getComputedStyle(host), inner = host.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    if (inner <= 0) return; // the tab is hidden
    const ratio = devicePixelRatio, phone = innerWidth <= 720, stacked = innerWidth <= 1180;
    const column = phone ? document.documentElement.clientWidth - 6 : stacked ? (inner - GAP) / 2 : (inner - least - 2 * GAP) / 2;
    const top = grid.getBoundingClientRect().top + scrollY;
    // side by side all must be in sight; where the page scrolls anyway, the canvas alone
    const room = phone ? innerHeight - bar - CAPTION : innerHeight - top - CAPTION - FOOT - (stacked ? 0 : below.offsetHeight);
    const smallest = Math.min(SMALLEST, column); // below this a low window scrolls instead
    const units = Math.floor((Math.min(column, Math.max(room, smallest)) * ratio) / size);
    const side = units ? (units * size) / ratio : column;
    const rail = Math.min(most, inner - 2 * side - 2 * GAP);
    const wide = phone ? inner : stacked ? Math.max(2 * side + GAP, Math.min(inner, LEAST_WIDE)) : 2 * side + 2 * GAP + rail;
    const now = [side, rail, wide, units, stacked, phone].join();
    if (now === last) return;
    last = now;
    host.style.setProperty("--pic", `${side}px`);
    host.style.setProperty("--rail", `${rail}px`);
    host.style.setProperty("--wide", `${wide}px`);
    if (!stacked && 2 * side + GAP < WIDE_DOCK) host.dataset.dock = "narrow";
    else if (stacked && !phone && wide < ROW_DOCK) host.dataset.dock = "folded";
    else delete host.dataset.dock;
    changed({ side, unit: units || (side * ratio) / size });
  }

  new ResizeObserver(fit).observe(host);
  addEventListener("resize", fit); // height and zoom of the browser
  fit(); // no frame without sizes
  return { refit(newSize) { size = newSize; last = ""; fit(); } };
}
