/* The size of the pictures: a whole number of device pixels for each pixel of the task, as large as the column and the
   window allow. Reference and canvas share it; a canvas may also stand alone. */

const GAP = 24, CAPTION = 48, FOOT = 24;
const WIDE_DOCK = 980; // below this the dock leaves its brush preview out
const LEAST_WIDE = 680; // what the row above the pictures needs
const ROW_DOCK = 1008; // below this, under the pictures, the colours have a row of their own

/**
 * Keep `--pic` (side of a picture), `--rail` and `--wide` of the host up to date.
 * `grid` holds the pictures, `columns` of them side by side, `below` stands under them if there is something, `rail` is the width [least, most]
 * of what stands beside them, `narrow` that of what still does below 1180 px, `smallest` the side below which a low window
 * scrolls instead, `bar` the height of what covers a phone's lower edge and `fill` the least share of a phone's width that
 * a canvas takes even if its pixels then have no whole size; `inside` does so too for a picture that has more pixels than the window has room. Returns {refit(size, columns)}; `changed({side, unit})` is told of the side in CSS px and of device px per canvas pixel.
 */
export function pictureLayout(host, changed, { grid, below, columns = 2, rail: [least, most], narrow = 0, smallest = 300, bar = 0, fill = 0, inside = false }) {
  let size = 128, last = "";

  function fit() {
    const style = getComputedStyle(host), inner = host.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    if (inner <= 0) return; // the tab is hidden
    const ratio = devicePixelRatio, phone = innerWidth <= 720, stacked = innerWidth <= 1180;
    const beside = stacked ? narrow : least, gaps = beside ? columns : columns - 1;
    const column = phone ? document.documentElement.clientWidth - 6 : (inner - beside - gaps * GAP) / columns;
    const top = grid.getBoundingClientRect().top + scrollY;
    // side by side all must be in sight; where the page scrolls anyway, the canvas alone
    const room = phone ? innerHeight - bar - CAPTION : innerHeight - top - CAPTION - FOOT - (stacked ? 0 : below?.offsetHeight ?? 0);
    const whole = Math.floor((Math.min(column, Math.max(room, Math.min(smallest, column))) * ratio) / size);
    const units = phone && (whole * size) / ratio < fill * Math.min(column, room) ? 0 : whole;
    const side = units ? (units * size) / ratio : inside && !stacked ? Math.min(column, Math.max(room, smallest)) : column;
    const rail = Math.min(most, inner - columns * (side + GAP));
    const wide = phone ? inner : stacked ? Math.max(columns * (side + GAP) - GAP, Math.min(inner, LEAST_WIDE)) : columns * (side + GAP) + rail;
    const now = [side, rail, wide, units, stacked, phone].join();
    if (now === last) return;
    last = now;
    host.toggleAttribute("data-smooth", !units);
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
  return { refit(newSize, newColumns = columns) { [size, columns] = [newSize, newColumns]; last = ""; fit(); } };
}
