/* Three ways in, with this studio's own address: MCP, HTTP and Python. */
import { copyButton } from "../copy.js";
import { h, setText } from "../dom.js";
import { coloured } from "./code.js";

const TASK = "natural-01";
const TOOLS = "list_tasks, start_session, continue_session, observe, brush_stroke, undo, submit, get_scores";

const STROKE = `{"kind": "brush_stroke", "stroke": {
  "x_start": 0.1, "y_start": 0.5,
  "x_control": 0.5, "y_control": 0.2,
  "x_end": 0.9, "y_end": 0.5,
  "radius_start": 0.5, "opacity_start": 1,
  "radius_end": 0.3, "opacity_end": 0.8,
  "red": 0.9, "green": 0.5, "blue": 0.3}}`;

/** The studio's address as this page reaches it, without a slash at the end. */
export const address = () => studio.url("").replace(/[?#].*$/, "").replace(/\/$/, "");

/** Client configuration of the MCP server. */
export const mcp = () => JSON.stringify({ mcpServers: { easel: { type: "http", url: `${address()}/mcp` } } }, null, 2);

/** Begin a session and paint its first stroke; or paint in `session` ({id, token}). Runs in any POSIX shell. */
export function curl(session) {
  if (session) {
    return `session=${address()}/api/sessions/${session.id}
curl -s $session/actions \\
  -H 'Authorization: Bearer ${session.token}' \\
  -H 'Content-Type: application/json' \\
  -d '{"request_id": "'$(date +%s)'", "action":
  ${STROKE}}'; echo
`;
  }
  return `easel=${address()}
begun=$(curl -s $easel/api/sessions \\
  -H 'Content-Type: application/json' \\
  -d '{"task_id": "${TASK}", "player":
       {"kind": "agent", "name": "curl"}}')
of() { echo "$begun" |
  sed 's/.*"'$1'": *"\\([^"]*\\).*/\\1/'; }
echo "watch it live: $(of watch_url)"
session=$easel/api/sessions/$(of session_id)
curl -s $session/actions \\
  -H "Authorization: Bearer $(of write_token)" \\
  -H 'Content-Type: application/json' \\
  -d '{"request_id": "1", "action":
  ${STROKE}}'; echo
`;
}

/** An episode of the Gymnasium environment, recorded in this studio. */
export const python = () => `import gymnasium
from easel_app.recording import Recorded

env = gymnasium.make("easel_app/Painting-v0",
                     task_id="${TASK}")
env = Recorded(env, to="${address()}")
env.action_space.seed(0)
obs, info = env.reset(seed=0)
print("watch it live:", info["watch_url"])
done = False
while not done:
    stroke = env.action_space.sample()
    obs, gain, end, cut, info = env.step(stroke)
    done = end or cut
print(info["score"])
env.close()
`;

const KINDS = [
  {
    name: "MCP", language: "json", says: "For assistants that speak MCP: add it to the client’s configuration.", text: mcp,
    needs: ["Tools: ", h("span", { class: "mono" }, TOOLS), ". The agent begins a session by itself."],
  },
  {
    name: "REST", language: "shell", says: "One call for each stroke, from any language.", text: curl,
    needs: ["Answers with outcome, scores and steps left. Pictures: ", h("span", { class: "mono" }, "…/canvas.png"), ", all routes: ", h("a", { href: studio.url("api/openapi.json"), target: "_blank" }, "openapi.json"), "."],
  },
  {
    name: "Python", language: "python", says: "A Gymnasium environment, for training and search.", text: python,
    needs: ["Needs the package ", h("span", { class: "mono" }, "easel_app"), ". Action: 13 floats in [0, 1]. Reward: change of the score. Observation: reference, canvas (n × n × 3 bytes) and steps left. Without ", h("span", { class: "mono" }, "Recorded"), " nothing is sent."],
  },
];

export class Snippets {
  constructor() {
    this.session = null;
    this.cards = KINDS.map((kind) => {
      const pre = h("pre", { tabindex: 0, "aria-label": `${kind.name} snippet`, "data-snippet": kind.name.toLowerCase() }), line = h("p", { class: "sm sub" }, kind.says);
      const card = h("section", { class: "card snip", "aria-label": kind.name },
        h("header", {}, h("div", {}, h("h2", {}, kind.name), line), copyButton(() => kind.text(this.session), { label: "Copy", said: `${kind.name} snippet copied` })),
        pre, h("footer", { class: "sm sub" }, kind.needs));
      return { ...kind, pre, card, line };
    });
    this.element = h("div", { class: "conn" }, this.cards.map(({ card }) => card));
    this.show(null);
  }

  /** Fill in a session that was begun for an agent ({id, token}), or none. */
  show(session) {
    this.session = session;
    for (const { name, language, says, text, pre, line } of this.cards) {
      pre.replaceChildren(...coloured(text(session), language, session?.token));
      setText(line, name === "REST" && session ? "A stroke in the session above. The dots are its token; the copy has it." : says);
    }
  }
}
