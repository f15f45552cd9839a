/* Copying text, and the button that does it. */
import { announce, h, icon } from "./dom.js";

const SAID = 1600; // ms for which the button says that it is done

/** Put text on the clipboard. */
export async function copyText(text) {
  try { await navigator.clipboard.writeText(text); } catch { // no permission, or not a secure page
    const field = document.body.appendChild(h("textarea", { class: "es-sr" }));
    field.value = text;
    field.select();
    document.execCommand("copy");
    field.remove();
  }
}

/** A button that copies `text`, a string or a function that gives it. */
export function copyButton(text, { label = "Copy link", said = "Link copied", class: kind = "btn", ...attributes } = {}) {
  const word = h("span", {}, label);
  return h("button", {
    type: "button", class: kind, title: label === "Copy link" ? "Others can watch with this link" : null, ...attributes,
    onclick: async () => {
      await copyText(typeof text === "function" ? text() : text);
      announce(said);
      word.textContent = "Copied";
      setTimeout(() => { word.textContent = label; }, SAID);
    },
  }, icon("copy"), word);
}
