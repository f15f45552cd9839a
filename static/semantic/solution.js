/* A built-in painter at a semantic task: a script that knows the answer, to be watched. */
import { createSession, startPainter } from "../session/api.js";
import { openTab } from "../tabs.js";

const SCRIPTS = { outline: ["tracer", "Tracer"], handwriting: ["writer", "Writer"], maze: ["solver", "Solver"] };
const PACE = 5; // strokes a second

/** Let the script of a task paint it, and open its session in Watch. Throws ApiError. */
export async function watchSolution(task) {
  const [painter, name] = SCRIPTS[task.kind];
  const { session_id: id, write_token: token } = await createSession({ task_id: task.id, protocol: "benchmark", player: { kind: "painter", name } });
  await startPainter(id, token, { painter, seed: 0, strokes_per_second: PACE });
  openTab("watch", { session: id });
}
