/* The header: entry module of the page. */
import { help } from "./keys.js";
import { accessibleTabs, current, followTabs } from "./tabs.js";

function ready(selector) {
  const found = document.querySelector(selector);
  if (found) return Promise.resolve(found);
  return new Promise((resolve) => {
    new MutationObserver((_, self) => {
      const element = document.querySelector(selector);
      if (element) { self.disconnect(); resolve(element); }
    }).observe(document.documentElement, { childList: true, subtree: true });
  });
}

document.addEventListener("click", (event) => {
  if (event.target.closest("#es-theme")) studio.toggleTheme();
  if (event.target.closest("#es-keys")) help();
});

const tablist = await ready("#es-tabs > .tab-wrapper [role=tablist]");
followTabs(tablist);
accessibleTabs(tablist);
tablist.querySelector(`[data-tab-id="${current()}"]`)?.scrollIntoView({ inline: "center", block: "nearest" });
const brand = await ready("#es-head .es-brand");
document.documentElement.style.setProperty("--brand", `${Math.ceil(brand.offsetWidth)}px`); // depends on the system's font
document.getElementById("es-splash")?.remove();
performance.mark("es:header");
