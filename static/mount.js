/* The one bridge between gr.HTML and our modules. Python: `screen()` in ui/components.py. */
import { h } from "./dom.js";

const mounted = new WeakMap();

/** Start `module`'s default export once in the component's host element; show an error there if it cannot start. */
export async function mount(module, api) {
  const host = api.element.querySelector("[data-module]") || api.element;
  if (mounted.has(host)) return;
  mounted.set(host, true);
  host.setAttribute("aria-busy", "true");
  try {
    const { default: start } = await import(module);
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
