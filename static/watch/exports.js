/* The export menu: one session in every form, fetched here so that a refusal is said where it was asked for. */
import { announce, h, setText } from "../dom.js";
import { canvasUrl, exchangesUrl, exportUrl } from "../session/api.js";
import { Menu } from "./menu.js";

const FORMS = [
  ["replay.html", "Replay that opens from a file", "HTML"], ["canvas.png", "This picture", "PNG"], ["canvas.webp", "Animation, all colours", "WebP"], ["canvas.gif", "Animation, 256 colours", "GIF"], ["canvas.mp4", "Film", "MP4"],
  ["log.jsonl", "Log, to be imported again", "JSON lines"], ["evidence", "What the player was shown and said", "JSON lines"], ["atif.json", "Agent trajectory", "ATIF"],
];

/* The name that the server gives a file. */
const nameIn = (response, fallback) => /filename="?([^";]+)"?/.exec(response.headers.get("content-disposition") ?? "")?.[1] ?? fallback;

async function save(url, fallback) {
  const response = await fetch(url).catch(() => { throw new Error("The server cannot be reached: try again in a moment."); });
  if (!response.ok) throw new Error((await response.json().catch(() => null))?.error?.message ?? `The server answered ${response.status}.`);
  const address = URL.createObjectURL(await response.blob());
  const link = h("a", { href: address, download: nameIn(response, fallback) });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** The menu; `of()` gives {id, step}, the session and the step that is shown. */
export function exportMenu(of) {
  const item = ([name, label, form]) => {
    const said = h("span", { class: "xs mut" }, form);
    const button = h("button", {
      type: "button", role: "menuitem", class: "menu-item", "data-export": name,
      onclick: async () => {
        const { id, step } = of();
        button.setAttribute("aria-busy", "true");
        setText(said, "Preparing …");
        try {
          await save(name === "canvas.png" ? canvasUrl(id, step) : name === "evidence" ? exchangesUrl(id) : exportUrl(id, name), name === "evidence" ? `${id}-evidence.jsonl` : name);
          menu.toggle(false);
          menu.button.focus();
          announce(`${label} saved`);
        } catch (error) {
          setText(said, error.message);
          said.classList.add("bad");
          announce(error.message);
        }
        button.removeAttribute("aria-busy");
      },
    }, h("span", {}, label), said);
    return button;
  };
  const menu = new Menu("Export", "save", () => FORMS.map(item), { hide: "hide-s" });
  return menu;
}
