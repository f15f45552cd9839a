/* Inlined into <head>. Runs before first paint and before Gradio reads its config. Classic script, no imports. */
(() => {
  const key = "es-theme", system = matchMedia("(prefers-color-scheme: dark)");
  // storage throws in strict frames: the choice then lives as long as the page
  const stored = () => { try { return localStorage.getItem(key); } catch { return null; } };
  const resolve = () => stored() || (system.matches ? "dark" : "light");
  const apply = (theme) => {
    for (const element of [document.documentElement, document.body]) element?.classList.toggle("dark", theme === "dark");
    document.documentElement.dataset.theme = theme;
    dispatchEvent(new CustomEvent("es:theme", { detail: theme }));
  };
  apply(resolve());
  system.addEventListener("change", () => stored() || apply(resolve()));

  // The first tab comes from the URL, with no round trip and no flash: edit the config that Gradio is about to read.
  const wanted = new URLSearchParams(location.search).get("tab"), parts = window.gradio_config?.components || [];
  const tabs = parts.find((part) => part.props?.elem_id === "es-tabs");
  if (tabs && parts.some((part) => part.type === "tabitem" && part.props.id === wanted)) tabs.props.selected = wanted;

  // Gradio would decide on the theme by itself and follow the system: hand it our answer before its element starts.
  new MutationObserver((_, self) => {
    const app = document.querySelector("gradio-app");
    if (!app) return;
    app.setAttribute("theme_mode", resolve());
    document.querySelector(`#es-splash [data-tab-id="${tabs?.props.selected}"]`)?.setAttribute("data-on", "");
    document.body.classList.toggle("dark", resolve() === "dark");
    self.disconnect();
  }).observe(document.documentElement, { childList: true, subtree: true });

  // No preload fits what <use> fetches: ask once, and the first icons come from the cache.
  fetch(document.currentScript.dataset.icons).catch(() => {});

  window.studio = {
    url: (path) => new URL(path, document.baseURI).href, // <base href="./"> carries the proxy's prefix
    icons: document.currentScript.dataset.icons,
    toggleTheme() {
      const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
      try { localStorage.setItem(key, next); } catch { /* see above */ }
      apply(next);
    },
  };
})();
