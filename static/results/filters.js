/* What is counted: category, rules, kind of player, versions, imports; and the same as a file. */
import { h, icon, setText } from "../dom.js";

/** Categories as the link names them. */
export const SCOPES = [
  ["all", "All"], ["programmatic", "Programmatic"], ["spatial", "Spatial"], ["abstract", "Abstract"], ["natural", "Natural"], ["semantic", "Semantic"],
];
export const PROTOCOLS = [["benchmark", "Benchmark"], ["studio", "Studio"]];
export const KINDS = [["", "Everyone"], ["human", "People"], ["agent", "Agents"], ["painter", "Painters"]];

const same = (a, b) => a.renderer === b.renderer && a.metric === b.metric;

export class Filters {
  /** `ask(changes)` is told of parameters of the link that change; null takes one away. */
  constructor(ask) {
    Object.assign(this, { ask, today: {} });
    const choice = (label, options, changes) => h("div", { class: "seg", role: "group", "aria-label": label }, options.map(([value, says]) => h("button", {
      type: "button", "data-value": value, onclick: () => ask(changes(value)),
    }, h("span", {}, says))));
    this.category = choice("Category", SCOPES, (value) => ({ category: value === "all" ? null : value, renderer: null, metric: null }));
    this.protocol = choice("Rules", PROTOCOLS, (protocol) => ({ protocol }));
    for (const button of this.protocol.children) button.append(h("span", { class: "count" }));
    this.kind = choice("Kind of player", KINDS, (value) => ({ kind: value || null }));
    this.version = h("select", { class: "field", hidden: true, "aria-label": "Versions of renderer and metric", onchange: () => ask(JSON.parse(this.version.value)) });
    this.imported = h("input", { type: "checkbox", role: "switch", onchange: () => ask({ imported: this.imported.checked ? "1" : null }) });
    this.csv = h("a", { class: "btn", download: true, title: "All rows as a CSV file" }, icon("save"), "CSV");
    this.element = h("div", { class: "row filters" }, this.protocol, this.kind, this.version,
      h("label", { class: "switch", title: "Sessions from logs made elsewhere, in rows of their own" }, this.imported, "Imported"));
  }

  /** Show what the link asks for, as the question `search` to the server, and what the newest answer (or null) says; `fresh` whether to this question. */
  draw(query, search, results, fresh) {
    const press = (group, value) => { for (const button of group.children) button.setAttribute("aria-pressed", String(button.dataset.value === value)); };
    press(this.category, query.category);
    if (query.category !== this.at) this.#show(query.category);
    press(this.protocol, query.protocol ?? results?.protocol);
    press(this.kind, query.kind ?? "");
    this.imported.checked = query.imported === "1";
    this.csv.href = studio.url(`api/results.csv?${search}`);
    if (!fresh) return;
    const counts = Object.fromEntries(results.protocols.map(({ protocol, sessions }) => [protocol, sessions]));
    for (const button of this.protocol.children) {
      const count = counts[button.dataset.value] ?? 0;
      setText(button.lastChild, count);
      button.title = `${count} ended ${count === 1 ? "session" : "sessions"} by these rules`;
    }
    this.#versions(query, results);
  }

  /* On a phone the categories are a strip: bring the chosen one into its middle. */
  #show(category) {
    const at = [...this.category.children].find((button) => button.dataset.value === category), { clientWidth } = this.category;
    if (!at || !clientWidth) return;
    this.at = category;
    this.category.scrollLeft = at.offsetLeft - (clientWidth - at.offsetWidth) / 2;
  }

  /* Versions to choose from, where there is more than today's; semantic tasks have one metric for each of their kinds. */
  #versions({ renderer, metric }, results) {
    const chosen = Boolean(renderer || metric), shown = { renderer: results.renderer, metric: results.metric };
    if (!chosen) this.today[results.category] = shown;
    const today = this.today[results.category];
    const within = (version, whole) => version.renderer === whole.renderer && whole.metric.split(",").includes(version.metric);
    const others = results.versions.filter((version) => !(today && within(version, today)));
    if (chosen && !(today && same(shown, today)) && !others.some((version) => within(version, shown))) others.push({ ...shown, sessions: 0 });
    const options = [["Today’s versions", { renderer: null, metric: null }, !chosen], ...others.map(({ sessions, ...version }) => [
      `${version.renderer}, ${version.metric} (${sessions})`, version, chosen && within(version, shown),
    ])];
    this.version.hidden = options.length < 2;
    const text = JSON.stringify(options);
    if (text === this.listed) return; // a list that is open stays so
    this.listed = text;
    this.version.replaceChildren(...options.map(([label, value, on]) => h("option", { value: JSON.stringify(value), selected: on }, label)));
  }
}
