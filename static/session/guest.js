/* Taking turns in a painting that another began. */
import { openTab } from "../tabs.js";
import { join } from "./api.js";
import { playerName, remember } from "./library.js";

/** Join a shared session as a guest and open it on the easel. Throws ApiError. */
export async function takeTurn(id, taskId) {
  const guest = playerName(), { guest_token: token } = await join(id, guest);
  remember(id, { token, guest, task_id: taskId });
  openTab("paint", { session: id });
}
