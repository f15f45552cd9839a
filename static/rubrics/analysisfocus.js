/* The focus stays where it is although what stands there is drawn anew. */

/* What tells one part of a drawing from another. */
const NAMES = ["data-sort", "data-cell", "data-point", "data-part", "data-value", "data-choose", "data-player", "data-answer"];
const named = (element, names) => names.filter((name) => element.hasAttribute(name)).map((name) => `[${name}="${CSS.escape(element.getAttribute(name))}"]`).join("");

/** Note what has the focus in `body`; call what is returned once `body` is drawn anew, and it has the focus again, or what is around it if it is gone. */
export function heldIn(body) {
  const { activeElement: held } = document;
  if (held === body || !body.contains(held)) return () => {};
  const name = named(held, NAMES), text = held.textContent, way = [name || held.localName + named(held, ["href", "aria-label"])];
  for (let above = held.parentElement; above !== body; above = above.parentElement) way.unshift(named(above, ["aria-label", ...NAMES]));
  const same = () => [...body.querySelectorAll(way.filter(Boolean).join(" "))].find((one) => name || one.textContent === text);
  return () => { if (document.activeElement !== held) (same() ?? body.closest("[tabindex='-1']"))?.focus({ preventScroll: true }); };
}
