/* Import of plans. */
import { choice, row } from "../connect/fields.js";
import { open as openImport } from "../importing/dialog.js";
import { stemOf } from "../importing/naming.js";

const BASES = [["0", "First picture is 0"], ["1", "First picture is 1"]];
const PLANS = {
  path: "plans/imports", kind: "plan", command: "easel plans import",
  says: "Queries with their pools, planners’ answers, inspectors’ reports and people’s votes. All of it is checked first; what is there already is skipped.",
  kinds: [["queries", "Queries"], ["answers", "Answers"], ["reports", "Reports"], ["votes", "Votes"]],
  accepted: ".jsonl,.ndjson,.json,.gz,.txt,.md,.markdown",
  formats: "JSON lines of this studio, rows of ATP-Bench, LLM-I, RAG-IGBench, MRAMG, OpenING or MMIE, or one plan as text; plain or packed by gzip.",
  elsewhere: "On the server’s machine",
  source: { placeholder: "/data/plans", note: "The path of a file or folder on the machine of the server, whose pictures it may name. Nothing is ever fetched." },
  rows: (field) => [
    row("Planner", field({ name: "planner" }), "Who planned, in files that do not say it; else as the file is called."),
    row("First picture", choice("index_base", "Index of the first picture", [["auto", "As the plans tell"], ["0", "0"], ["1", "1"]], "auto"),
      "Its index in the pool, in data that leave it open."),
    row("Pool", choice("pool_order", "Which pictures come first", [["query_first", "The query’s first"],
      ["documents_first", "The documents’ first"]], "query_first"), "The order of its pictures, in data that leave it open."),
  ],
  // a file that is sent has lost its name, by which else a planner is called
  filled: (file) => { const planner = stemOf(file.name, PLANS.accepted); return planner ? { planner } : {}; },
  // what cannot be told from the data can be said at once
  remedies: ({ faults }) => (faults.some(({ field }) => field === "index_base") ? BASES.map(([value, label]) => [label, { index_base: value }]) : []),
};

export const open = async (context) => openImport(PLANS, { changed: (at) => context.changed(at) });
