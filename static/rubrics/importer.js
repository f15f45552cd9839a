/* Import: a file from here, or a source that the server can reach; all of it is looked at first, and a report says what came of it. */
import { choice, row } from "../connect/fields.js";
import { announce, h, icon, setText } from "../dom.js";
import { ApiError } from "../session/api.js";
import { bytes, errorLine, fieldsOf, forbidden, meter, quoted, sheet } from "./dialogs.js";
import { reportOf } from "./importerreport.js";
import { followSource, sendFile } from "./importersend.js";

const MOST = 64 * 1024 * 1024; // bytes of a file that is sent
const ACCEPTED = ".jsonl,.ndjson,.json,.parquet,.gz";
const KINDS = "JSON lines of this studio, JSON of the benchmark’s authors, or parquet; plain or packed by gzip.";
const SAYS = "Tasks with rubrics, models’ answers, verdicts and votes. All of it is checked first; what is there already is skipped.";
const BY_DATA = { maxlength: 80, placeholder: "as the data says" };
const foot = (...buttons) => h("div", { class: "row foot-row" }, h("span", { class: "grow" }), buttons);
const button = (label, run, kind = "lg") => h("button", { type: "button", class: `btn ${kind}`, onclick: run }, label);
/* A file's name without what its kind is. */
const stem = (name) => name.replace(/(\.[a-z0-9]{1,8}){1,2}$/i, "").slice(0, 80).trim();

let last = null; // the dialog in which an import of a source still goes on

/** Open the dialog; `changed` is told once something came in, with its set when that is to be shown. */
export function open({ changed }) {
  if (last) { last(); return; }
  let file = null, stop = () => {}, came = null, shut = false;
  const field = fieldsOf("import"), error = errorLine();
  const way = choice("way", "Where from", [["file", "A file"], ["source", "Hub or this machine"]], "file", ask);
  const input = h("input", { type: "file", accept: ACCEPTED, hidden: true, onchange: () => take(input.files[0]) });
  const chosen = h("b", {}), facts = h("p", { class: "sm" }), pick = button("Choose a file", () => input.click(), "");
  const drop = h("div", { class: "hole drop", ondragover: over, ondragleave: over, ondrop: over }, icon("save"), chosen, facts, pick, input);
  const source = field({ name: "source", maxlength: 1000, placeholder: "ScaleAI/VisualToolBench" });
  const revision = field({ name: "revision", maxlength: 80, placeholder: "newest" });
  const named = h("div", { class: "grid" },
    row("Source", source, "NAME/REPO on the Hugging Face hub, or the path of a file or folder on the machine of the server."),
    row("Revision", revision, "Of a data set of the hub: branch, tag or commit."));
  const name = field({ name: "name", ...BY_DATA }), model = field({ name: "model", ...BY_DATA }), judge = field({ name: "judge", ...BY_DATA });
  const needs = h("p", { class: "sm mut", id: "es-import-needs", "aria-live": "polite" });
  const go = h("button", { type: "submit", class: "btn lg primary", "aria-describedby": needs.id }, "Import");
  const form = h("form", { class: "data-form", onsubmit: (event) => { event.preventDefault(); begin(false); } }, way, drop, named,
    h("div", { class: "grid" }, row("Set", name, "Its name; data of the same name goes into the same set."),
      row("Model", model, "Who answered, in files that do not say it."), row("Judge", judge, "Who judged, in files that do not say it.")),
    error.element, h("div", { class: "row between foot-row" }, needs, go));
  const place = h("div", { class: "import-place" }, form);
  const { box, close, reopen } = sheet("importing", "Import", { left: leave }, h("p", { class: "sm sub" }, SAYS), place);
  show();
  ask();
  pick.focus();

  function leave() {
    shut = true;
    if (!last) stop(); // a source goes on by itself
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
    named.hidden = source.disabled = revision.disabled = ofFile();
    source.required = !ofFile();
    go.disabled = ofFile() && !file;
    setText(needs, go.disabled ? "Choose a file first" : "");
    error.say(null);
  }

  function take(found) {
    if (!found) return;
    file = found;
    show();
    ask();
    go.disabled = file.size > MOST;
    if (go.disabled) error.say(`The file has ${bytes(file.size)}, and at most ${bytes(MOST)} can be sent: import it by its path on the machine of the server instead.`);
    else go.focus();
  }

  function show() {
    setText(chosen, file ? file.name : "Drop a file here");
    setText(facts, file ? bytes(file.size) : KINDS);
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

  async function begin(partial) {
    const wish = partial ? { partial } : {};
    for (const [key, { value }] of Object.entries({ name, model, judge, ...(ofFile() ? {} : { source, revision }) })) if (value.trim()) wish[key] = value.trim();
    try {
      const { report, stop: halt } = ofFile() ? sendFile(file, wish, busy(file.name)) : followSource(wish, busy(wish.source));
      stop = halt;
      if (!ofFile()) last = () => { shut = false; reopen(); };
      tell(await report);
    } catch (trouble) { fail(trouble); } finally {
      stop = () => {};
      last = null;
    }
  }

  function fail(trouble) {
    if (!(trouble instanceof ApiError)) throw trouble; // a fault of the page
    if (shut) { announce(trouble.message); return; }
    if (trouble.code === "imports_forbidden") {
      const why = forbidden("Only files from here", trouble.message, `easel rubrics import ${quoted(source.value.trim())}`);
      place.replaceChildren(h("div", { class: "data-form" }, why), foot(button("Back", () => back(null))));
      return;
    }
    if (trouble.field === "name" && ofFile() && !name.value) name.value = stem(file.name);
    back(trouble.message, { name, model, judge, source }[trouble.field]);
  }

  function tell(report) {
    const refused = report.state === "refused", again = button(refused ? "Back" : "Import more", () => back(null));
    const rest = refused && Object.values(report.sound).some(Boolean) && button("Import the rest", () => begin(true), "lg primary");
    const main = refused ? rest : button("Show the set", () => { came.show = true; close(); }, "lg primary");
    place.replaceChildren(reportOf(report), foot(again, main));
    announce(`${report.name}: ${place.querySelector("h3").textContent}`);
    if (!refused) {
      came = { set: report.set_id, show: false };
      name.value ||= report.name; // what comes next belongs to it
    }
    if (shut) { if (came) changed({}); return; }
    (main || again).focus();
    box.scrollTop = 0;
  }
}
