/* Paint your own picture: choose or drop a file, take a square of it, choose the size of the task. */
import { dialog, h, icon, storage } from "../dom.js";
import { createOwnTask, getTask } from "../session/api.js";
import { Crop } from "./crop.js";

const TYPES = ["image/png", "image/jpeg", "image/webp"], LARGEST = 8 * 1024 * 1024, SIZES = [64, 128, 256], KEY = "es-own", KEPT = 7;

/** Own tasks of this browser, newest first. */
export const ownTasks = () => storage.get(KEY, []);
const keep = (task) => storage.set(KEY, [task, ...ownTasks().filter(({ id }) => id !== task.id)].slice(0, KEPT));
/** Forget an own task that the server no longer has. */
export const forgetOwn = (id) => storage.set(KEY, ownTasks().filter((task) => task.id !== id));
/** An own task by id: known here, or asked for. */
export const findOwn = async (id) => ownTasks().find((task) => task.id === id) ?? getTask(id);

export class OwnPicture {
  /** `made(task)` gets the new task. */
  constructor(made) {
    this.made = made;
    this.size = 128;
    this.file = null;
    this.crop = new Crop(() => this.#preview());
    this.input = h("input", { type: "file", accept: TYPES.join(), class: "es-sr", tabindex: -1, "aria-label": "Picture file", onchange: () => this.take(this.input.files[0]) });
    this.drop = h("div", { class: "hole drop" }, icon("image"), h("b", {}, "Drop a picture here"), h("p", {}, "PNG, JPEG or WebP, up to 8 MB. It becomes a task of its own and enters no ranking."),
      h("button", { type: "button", class: "btn", onclick: () => this.input.click() }, "Choose a file"), this.input);
    this.sample = h("canvas", { width: 128, height: 128, class: "sample", role: "img", "aria-label": "The reference as it will be" });
    this.text = h("p", { class: "xs mut", "aria-live": "polite" });
    this.sizes = h("div", { class: "seg", role: "group", "aria-label": "Size of the task in pixels" }, SIZES.map((size) => h("button", { type: "button", "data-size": size, onclick: () => this.#setSize(size) }, String(size))));
    this.error = h("p", { class: "refusal", role: "alert", hidden: true });
    this.other = h("button", { type: "button", class: "btn", onclick: () => this.input.click() }, "Another file");
    this.go = h("button", { type: "button", class: "btn primary", onclick: () => this.#send() }, "Paint this picture");
    this.work = h("div", { class: "own-work", hidden: true }, this.crop.element,
      h("div", { class: "own-side" }, h("div", { class: "lab" }, "The reference"), this.sample, this.text, h("div", { class: "lab" }, "Size ", h("span", { class: "mut" }, "px")), this.sizes));
    this.foot = h("div", { class: "row own-foot", hidden: true }, this.other, this.go);
    this.box = dialog({ class: "es sheet-dialog own", "aria-labelledby": "es-own-title" },
      h("div", { class: "row between" }, h("h2", { id: "es-own-title" }, "Paint your own picture"), h("button", { type: "button", class: "btn ghost icon", "aria-label": "Close", onclick: () => this.box.close() }, icon("x"))),
      this.error, this.drop, this.work, this.foot);
    for (const name of ["dragover", "dragenter"]) this.box.addEventListener(name, (event) => { event.preventDefault(); this.drop.classList.add("over"); });
    this.box.addEventListener("dragleave", () => this.drop.classList.remove("over"));
    this.box.addEventListener("drop", (event) => { event.preventDefault(); this.drop.classList.remove("over"); this.take(event.dataTransfer.files[0]); });
    this.box.addEventListener("paste", (event) => { if (event.clipboardData.files[0]) this.take(event.clipboardData.files[0]); });
    this.#setSize(128);
  }

  open() {
    this.#show(null);
    this.#refuse("");
    this.box.showModal();
  }

  /** Look at a file; what the browser can already tell is told before anything is sent. */
  async take(file) {
    this.input.value = "";
    if (!file) return;
    this.#refuse("");
    if (!TYPES.includes(file.type)) { this.#refuse(`“${file.name}” is not a PNG, JPEG or WebP picture: convert it to one of these and try again.`); return; }
    if (file.size > LARGEST) { this.#refuse(`“${file.name}” has ${(file.size / 1024 / 1024).toFixed(1)} MB, more than the 8 MB that are taken: make it smaller and try again.`); return; }
    const url = URL.createObjectURL(file);
    try {
      await this.crop.load(url);
      this.#show(file);
      this.crop.square.focus();
    } catch {
      this.#refuse(`“${file.name}” cannot be read as a picture: it may be damaged or of another kind than its name says.`);
    } finally { setTimeout(() => URL.revokeObjectURL(url), 10_000); }
  }

  #show(file) {
    this.file = file;
    this.drop.hidden = Boolean(file);
    this.work.hidden = this.foot.hidden = !file;
  }

  #refuse(text) {
    this.error.textContent = text;
    this.error.hidden = !text;
  }

  #setSize(size) {
    this.size = size;
    for (const button of this.sizes.children) button.setAttribute("aria-pressed", String(Number(button.dataset.size) === size));
    this.#preview();
  }

  #preview() {
    const { crop, sample, size } = this;
    if (!crop.side) return;
    this.text.textContent = crop.text;
    sample.width = sample.height = size;
    const context = sample.getContext("2d");
    context.imageSmoothingQuality = "high";
    context.drawImage(crop.picture, crop.left, crop.top, crop.side, crop.side, 0, 0, size, size);
  }

  async #send() {
    this.go.setAttribute("aria-busy", "true");
    this.go.style.minWidth = `${this.go.offsetWidth}px`;
    this.go.textContent = "Sending";
    this.#refuse("");
    try {
      const task = await createOwnTask(this.file, this.size, this.crop.fractions);
      keep(task);
      this.box.close();
      this.made(task);
    } catch (error) {
      this.#refuse(error.message);
    } finally {
      this.go.removeAttribute("aria-busy");
      this.go.textContent = "Paint this picture";
    }
  }
}
