/* Import: a file from here, or a source that the server can reach; all of it is looked at first, and a report says what came of it. */
import { choice, held, row } from "../connect/fields.js";
import { announce, h, icon, setText } from "../dom.js";
import { ApiError } from "../session/api.js";
import { bytes, errorLine, fieldsOf, forbidden, meter, quoted, sheet } from "../rubrics/dialogs.js";
import { reportOf } from "./report.js";
import { nameIn, stemOf } from "./naming.js";
import { followSource, sendFile } from "./send.js";

const MOST = 64 * 1024 * 1024; // bytes of a file that is sent
const BY_DATA = { maxlength: 80, placeholder: "as the data says" };
const foot = (...buttons) => h("div", { class: "row foot-row" }, h("span", { class: "grow" }), buttons);
const button = (label, run, kind = "lg") => h("button", { type: "button", class: `btn ${kind}`, onclick: run }, label);

const going = new Map(); // by path, what reopens the dialog in which an import of a source still goes on

/**
 * Open the dialog; `changed` is told once something came in, with its set when that is to be shown. `what` is imported:
 * {path of REST, command of a terminal, kind as `sheet` has it, says, kinds of records as `reportOf` has them, accepted endings, formats in
 * words, elsewhere: what the other way is called, source: {placeholder, note, revision}, rows(field) more rows of the form,
 * remedies(report) [[label, choices to begin again with]], filled(file) what fields of the form that are empty are for a file that is sent}.
 */
export function open(what, { changed }) {
  const { path } = what;
  if (going.has(path)) { going.get(path)(); return; }
  let file = null, given = "", stop = () => {}, came = null, shut = false; // `given`: the name that came of a file's
  const field = fieldsOf("import"), error = errorLine();
  const way = choice("way", "Where from", [["file", "A file"], ["source", what.elsewhere]], "file", ask);
  const input = h("input", { type: "file", accept: what.accepted, hidden: true, onchange: () => take(input.files[0]) });
  const chosen = h("b", {}), facts = h("p", { class: "sm" }), pick = button("Choose a file", () => input.click(), "");
  const drop = h("div", { class: "hole drop", ondragover: over, ondragleave: over, ondrop: over }, icon("save"), chosen, facts, pick, input);
  const source = field({ name: "source", maxlength: 1000, placeholder: what.source.placeholder });
  const revision = what.source.revision ? field({ name: "revision", maxlength: 80, placeholder: "newest" }) : null;
  const named = h("div", { class: "grid" }, row("Source", source, what.source.note), revision ? row("Revision", revision, what.source.revision) : []);
  const name = field({ name: "name", ...BY_DATA });
  const needs = h("p", { class: "sm mut", id: "es-import-needs", "aria-live": "polite" });
  const go = h("button", { type: "submit", class: "btn lg primary", "aria-describedby": needs.id }, "Import");
  const form = h("form", { class: "data-form", onsubmit: (event) => { event.preventDefault(); begin(); } }, way, drop, named,
    h("div", { class: "grid" }, row("Set", name, "Its name; data of the same name goes into the same set."),
      what.rows((attributes) => field({ ...BY_DATA, ...attributes }))),
    error.element, h("div", { class: "row between foot-row" }, needs, go));
  const place = h("div", { class: "import-place" }, form);
  const { box, close, reopen } = sheet("importing", "Import", { kind: what.kind, left: leave }, h("p", { class: "sm sub" }, what.says), place);
  show();
  ask();
  pick.focus();

  function leave() {
    shut = true;
    if (!going.has(path)) stop(); // a source goes on by itself
    if (came) changed(came.show ? { set: came.set } : {});
  }

  function over(event) {
    event.preventDefault();
    drop.classList.toggle("over", event.type === "dragover");
    if (event.type === "drop") take(event.dataTransfer.files[0]);
  }

  function ofFile() { return way.dataset.value === "file"; }

  function ask() {
    drop.hidden = !ofFile();
    named.hidden = source.disabled = ofFile();
    source.required = !ofFile();
    go.disabled = ofFile() && !file;
    setText(needs, go.disabled ? "Choose a file first" : "");
    error.say(null);
  }

  async function take(found) {
    if (!found) return;
    file = found;
    show();
    ask();
    go.disabled = true;
    await call(found);
    if (file !== found || shut) return;
    go.disabled = file.size > MOST;
    if (go.disabled) error.say(`The file has ${bytes(file.size)}, and at most ${bytes(MOST)} can be sent: import it by its path on the machine of the server instead.`);
    else go.focus();
  }

  /* Call the set as the file is called, unless somebody has called it already, or the file does. */
  async function call(found) {
    const said = await nameIn(found);
    if (file !== found || (name.value && name.value !== given)) return;
    name.value = given = said ? "" : stemOf(found.name, what.accepted);
  }

  function show() {
    setText(chosen, file ? file.name : "Drop a file here");
    setText(facts, file ? bytes(file.size) : what.formats);
    setText(pick, file ? "Another file" : "Choose a file");
  }

  function back(message, at = null) {
    place.replaceChildren(form);
    ask();
    error.say(message);
    (at ?? go).focus();
  }

  /* Show that it goes on; what is returned tells how far it is. */
  function busy(title) {
    const bar = h("div", {}), says = h("p", { class: "sm mut", "aria-live": "polite" }), cancel = button("Cancel", () => { cancel.disabled = true; stop(); }, "");
    place.replaceChildren(h("div", { class: "busy" }, h("b", { class: "words" }, title), bar, says, foot(cancel)));
    cancel.focus();
    return (share, text) => { bar.replaceChildren(meter(title, share)); setText(says, text); };
  }

  /* Begin again with another choice, which the form then has, too. */
  function remedy(changes) {
    for (const [key, value] of Object.entries(changes)) form.querySelector(`[data-name="${key}"] [data-value="${value}"]`)?.click();
    begin();
  }

  async function begin(changes = {}) {
    const { way: _, ...typed } = held(form), filled = ofFile() ? what.filled?.(file) : {}, wish = { ...filled, ...typed, ...changes };
    try {
      const { report, stop: halt } = ofFile() ? sendFile(path, file, wish, busy(file.name)) : followSource(path, wish, busy(wish.source));
      stop = halt;
      if (!ofFile()) going.set(path, () => { shut = false; reopen(); });
      tell(await report);
    } catch (trouble) { fail(trouble); } finally {
      stop = () => {};
      going.delete(path);
    }
  }

  function fail(trouble) {
    if (!(trouble instanceof ApiError)) throw trouble; // a fault of the page
    if (shut) { announce(trouble.message); return; }
    if (trouble.code === "imports_forbidden") {
      const why = forbidden("Only files from here", trouble.message, `${what.command} ${quoted(source.value.trim())}`);
      place.replaceChildren(h("div", { class: "data-form" }, why), foot(button("Back", () => back(null))));
      return;
    }
    back(trouble.message, form.elements.namedItem(trouble.field ?? ""));
  }

  function tell(report) {
    const refused = report.state === "refused", again = button(refused ? "Back" : "Import more", () => back(null));
    const rest = refused && Object.values(report.sound).some(Boolean) && button("Import the rest", () => begin({ partial: true }), "lg primary");
    const main = refused ? rest : button("Show the set", () => { came.show = true; close(); }, "lg primary");
    const remedies = refused ? what.remedies?.(report) ?? [] : [];
    place.replaceChildren(reportOf(report, what.kinds), foot(again, remedies.map(([label, changes]) => button(label, () => remedy(changes))), main));
    announce(`${report.name}: ${place.querySelector("h3").textContent}`);
    if (!refused) {
      came = { set: report.set_id, show: false };
      name.value ||= report.name; // what comes next belongs to it
      given = "";
    }
    if (shut) { if (came) changed({}); return; }
    (main || again).focus();
    box.scrollTop = 0;
  }
}
