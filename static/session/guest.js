/* Taking turns in a painting that another began. */
import { openTab } from "../tabs.js";
import { easelOf } from "../tasks.js";
import { join } from "./api.js";
import { playerName, remember } from "./library.js";

/** Join a shared session of `task` as a guest and open it on the easel. Throws ApiError. */
export async function takeTurn(id, task) {
  const guest = playerName(), { guest_token: token } = await join(id, guest);
  remember(id, { token, guest, task_id: task.id });
  openTab(easelOf(task), { session: id });
}
