/* Import of rubric data. */
import { row } from "../connect/fields.js";
import { open as openImport } from "../importing/dialog.js";

const RUBRICS = {
  path: "rubrics/imports", command: "easel rubrics import",
  says: "Tasks with rubrics, models’ answers, verdicts and votes. All of it is checked first; what is there already is skipped.",
  kinds: [["tasks", "Tasks"], ["items", "Criteria"], ["answers", "Answers"], ["verdicts", "Verdicts"], ["votes", "Votes"]],
  accepted: ".jsonl,.ndjson,.json,.parquet,.gz",
  formats: "JSON lines of this studio, JSON of the benchmark’s authors, or parquet; plain or packed by gzip.",
  elsewhere: "Hub or this machine",
  source: {
    placeholder: "ScaleAI/VisualToolBench", note: "NAME/REPO on the Hugging Face hub, or the path of a file or folder on the machine of the server.",
    revision: "Of a data set of the hub: branch, tag or commit.",
  },
  rows: (field) => [row("Model", field({ name: "model" }), "Who answered, in files that do not say it."), row("Judge", field({ name: "judge" }), "Who judged, in files that do not say it.")],
};

export const open = (context) => openImport(RUBRICS, context);
