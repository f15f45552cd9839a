/* Who paints, by glyph and name. */
import { h, icon } from "./dom.js";

const KINDS = { human: ["person", "Person"], agent: ["agent", "Agent"], painter: ["brush", "Built-in painter"] };

/** What a kind of player is called. */
export const kindOf = (player) => (KINDS[player.kind] ?? KINDS.agent)[1];

/** Glyph and name of a player; a screen reader hears the kind too. */
export function playerTag(player) {
  const [glyph] = KINDS[player.kind] ?? KINDS.agent, kind = kindOf(player), model = player.model && player.model !== player.name ? player.model : null;
  return h("span", { class: "row player", title: [kind, player.name, model].filter(Boolean).join(", ") },
    icon(glyph), h("span", { class: "es-sr" }, `${kind} `), h("span", { class: "nowrap" }, player.name, model ? h("span", { class: "mut" }, ` ${model}`) : null));
}
