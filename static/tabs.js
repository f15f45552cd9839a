/* Gradio's tabs as sections of a site: in the URL, in the history, by arrow keys. */
const BAR = "#es-tabs > .tab-wrapper";
const button = (id) => document.querySelector(`${BAR} [role=tab][data-tab-id="${CSS.escape(id)}"]`);

/** Id of the tab on show. */
export const current = () => document.querySelector(`${BAR} [role=tab][aria-selected=true]`)?.dataset.tabId;

const query = () => new URLSearchParams(location.search);
/* The tab itself and what Gradio reads are the page's; every other parameter belongs to the view of the tab on show:
   it leaves the URL with it and comes back with it. */
const PAGE = /^(tab|view|deep_link|__.*)$/;
const viewOf = (params) => Object.fromEntries([...params].filter(([key]) => !PAGE.test(key)));
const none = (view) => Object.fromEntries(Object.keys(view).map((key) => [key, null]));
const kept = new Map(); // tab -> the parameters of its last view
let asked = null; // {tab, view} that openTab was asked for

/** Show a tab as it was left, or with these parameters of its view; its screen is told by `es:query`. */
export function openTab(id, view = null) {
  if (current() === id) {
    if (!view) return;
    setQuery({ ...none(viewOf(query())), ...view }, { push: true });
    dispatchEvent(new CustomEvent("es:query"));
    return;
  }
  asked = view && { tab: id, view };
  button(id)?.click();
}

/** Change parameters of the URL (null removes one); `push` makes an entry in the history. */
export function setQuery(changes, { push = false } = {}) {
  const params = query();
  for (const [key, value] of Object.entries(changes)) value == null ? params.delete(key) : params.set(key, value);
  const text = params.toString(), url = location.pathname + (text && `?${text}`) + location.hash;
  if (url !== location.pathname + location.search + location.hash) history[push ? "pushState" : "replaceState"]({}, "", url);
}

function title(id) { document.title = `${button(id)?.textContent.trim()} · Easel Studio`; }

/** Keep URL, history and title in step with Gradio's own idea of the tab. */
export function followTabs(tablist) {
  const first = tablist.querySelector("[role=tab]").dataset.tabId;
  let last = current(), popping = false;
  title(last);
  new MutationObserver(() => {
    const now = current();
    if (!now || now === last) return;
    const view = asked?.tab === now ? asked.view : null;
    asked = null;
    if (!popping) {
      const left = viewOf(query());
      kept.set(last, left);
      setQuery({ ...none(left), tab: now, ...(view ?? kept.get(now)) }, { push: true });
    }
    last = now;
    button(now).scrollIntoView({ inline: "center", block: "nearest" });
    title(now);
    scrollTo(0, 0);
    dispatchEvent(new CustomEvent("es:tab", { detail: now }));
    if (view) dispatchEvent(new CustomEvent("es:query"));
  }).observe(tablist, { subtree: true, attributes: true, attributeFilter: ["aria-selected"] });
  addEventListener("popstate", () => {
    popping = true;
    openTab(query().get("tab") || first);
    setTimeout(() => { popping = false; dispatchEvent(new CustomEvent("es:query")); });
  });
}

/** What Gradio's tab bar lacks: a name, arrow keys with a roving focus, and panels that are named by their tab. */
export function accessibleTabs(tablist) {
  tablist.setAttribute("aria-label", "Sections");
  const all = () => [...tablist.querySelectorAll("[role=tab]")];
  const refresh = () => {
    for (const tab of all()) {
      tab.tabIndex = tab.getAttribute("aria-selected") === "true" ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls"))?.setAttribute("aria-labelledby", tab.id);
    }
  };
  refresh();
  addEventListener("es:tab", refresh);
  new MutationObserver(refresh).observe(document.getElementById("es-tabs"), { childList: true }); // a panel is made when it is first shown
  tablist.addEventListener("keydown", (event) => {
    const list = all(), at = list.indexOf(document.activeElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: list.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    const next = list[(to + list.length) % list.length];
    next.focus();
    next.click();
  });
}
