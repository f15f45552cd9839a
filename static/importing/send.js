/* The two ways of an import to the server: a file that is sent, and a source that the server fetches; both tell how far they are. */
import { ApiError, request } from "../session/api.js";
import { bytes } from "../rubrics/dialogs.js";
import { count } from "../rubrics/statistics.js";

const PATIENCE = 310_000; // ms; the server gives up after 300 s
const POLL = 500; // ms between looks at an import that goes on in the background
const STAGES = { fetching: "Fetching", checking: "Checking", importing: "Importing" };

/** Send `file` to `path`; `told(share, words)` gets how far it is. Returns {report, stop()}, of which `report` is a promise that throws ApiError. */
export function sendFile(path, file, wish, told) {
  const asked = new XMLHttpRequest(); // fetch does not tell how much has gone
  const sent = (share) => told(share < 1 ? share : null, share < 1 ? `Sending it: ${Math.floor(100 * share)}%` : "Checking all of it, then importing");
  sent(0);
  const report = new Promise((resolve, reject) => {
    const lost = (message) => () => reject(new ApiError(message, { retry: true }));
    asked.open("POST", studio.url(`api/${path}?${new URLSearchParams(wish)}`));
    asked.timeout = PATIENCE;
    asked.upload.onprogress = ({ loaded, total }) => sent(total ? loaded / total : 0);
    asked.upload.onload = () => sent(1);
    asked.onerror = lost("The server cannot be reached, or the file changed on its way: choose it again.");
    asked.ontimeout = lost("The server took too long; look whether the set is there before you try again.");
    asked.onabort = lost("Stopped. What was stored before stays, and the same import goes on with it.");
    asked.onload = () => {
      let answer = null;
      try { answer = JSON.parse(asked.responseText); } catch { /* said below */ }
      const { message, code, field } = answer?.error ?? {};
      if (asked.status === 201 && answer) resolve(answer);
      else if (answer?.report) resolve(answer.report);
      else reject(new ApiError(message ?? `The server answered ${asked.status} without a reason.`, { status: asked.status, code, field }));
    };
    asked.send(file);
  });
  return { report, stop: () => asked.abort() };
}

function progress({ stage, records, total, bytes: read, size }) {
  const words = [STAGES[stage], size ? `${bytes(read)} of ${bytes(size)}` : null, records ? `${count(records)}${total ? ` of ${count(total)}` : ""} records` : null];
  return [size ? Math.min(1, read / size) : total ? records / total : null, words.filter(Boolean).join(", ")];
}

/** The same of a source that the server can reach; it goes on there until it is stopped. */
export function followSource(path, wish, told) {
  let job = null, stopped = false;
  const here = () => `${path}/${encodeURIComponent(job.import_id)}`, halt = () => request("DELETE", here()).catch(() => {}); // the next look says what became of it
  async function follow() {
    told(null, "Beginning");
    job = await request("POST", `${path}/source`, { json: wish, timeout: 60_000 });
    if (stopped) halt();
    while (job.state === "running") {
      told(...progress(job));
      await new Promise((done) => setTimeout(done, POLL));
      try { job = await request("GET", here()); } catch (trouble) {
        if (!trouble.retry) throw trouble;
        told(null, `${trouble.message} Looking again.`);
      }
    }
    if (!job.report) throw new ApiError(job.reason, { code: job.state });
    return job.report;
  }
  return { report: follow(), stop: () => { stopped = true; if (job) halt(); } };
}
