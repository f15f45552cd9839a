/* The one bridge between gr.HTML and our modules. Python: `screen()` in ui/components.py. */
import { h } from "./dom.js";

const mounted = new WeakMap();

/* The sheets of a tab that was not the page's first; a sheet that fails must not keep the screen from coming. */
const styled = (urls) => Promise.all(urls.filter((url) => ![...document.styleSheets].some(({ href }) => href === url)).map((href) => new Promise((done) => {
  document.head.append(h("link", { rel: "stylesheet", href, onload: done, onerror: done }));
})));

/** Start `module`'s default export once in the component's host element, in its `styles`; show an error there if it cannot start. */
export async function mount(module, api, styles = []) {
  const host = api.element.querySelector("[data-module]") || api.element;
  if (mounted.has(host)) return;
  mounted.set(host, true);
  host.setAttribute("aria-busy", "true");
  try {
    const [{ default: start }] = await Promise.all([import(module), styled(styles)]);
    await start(host, api);
    performance.mark(`es:${host.dataset.module}`);
  } catch (error) { // Gradio only logs synchronous errors of js_on_load; an async one would be silent
    console.error(`screen ${host.dataset.module} failed`, error);
    host.replaceChildren(h("div", { class: "hole err", role: "alert" },
      h("b", {}, "This screen could not start"),
      h("p", {}, "Your work is stored on the server. Reload the page to try again."),
      h("button", { type: "button", class: "btn", onclick: () => location.reload() }, "Reload")));
  } finally {
    host.removeAttribute("aria-busy");
  }
}
