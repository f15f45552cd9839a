"""A session as a trajectory in ATIF, the Agent Trajectory Interchange Format (Harbor RFC 0001), version 1.8.

A first user step tells the task; then there is one agent step for each action, with its tool call, what became of it,
and the usage of the exchange that led to it. What a person or a program did has `llm_call_count` 0, and what a session
goes on from is marked as copied, as the format asks. Pictures are named by address, never embedded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from easel_app.painting.protocol import ProtocolName, protocol_for
from easel_app.painting.scores import headline, restored
from easel_app.painting.tasks import Task
from easel_app.runs.prompts import tools_of
from easel_app.services.figures import by_another, of_log, skill_of
from easel_app.store.records import ActionRecord, SessionRecord

VERSION = "ATIF-v1.8"
UNKNOWN = "unknown"
"""What the format's required version of the agent is where nobody told it."""
NOTES = (
    "Recorded by Easel Studio: each agent step is one action on a canvas. Coordinates, radii, opacities and colours "
    "are in [0, 1]; the score after each action is that of the task's metric. cost_usd is what the endpoint, or the "
    "prices that the run was given, said. Tokens that no endpoint counted are left out."
)
REASONING = ("reasoning_content", "reasoning")
"""Where endpoints put what a model thought."""


def trajectory(
    task: Task,
    session: SessionRecord,
    actions: Sequence[ActionRecord],
    exchanges: Sequence[Mapping[str, Any]],
    base: str | None = None,
) -> dict[str, Any]:
    """The trajectory as JSON.

    Args:
        task: what was painted.
        session: how the session began.
        actions: its whole log.
        exchanges: its exchanges, in order.
        base: address of a studio that shows the pictures, without a slash at its end; None leaves them out.
    """
    told = _Told(task, session, base)
    steps, waiting = [told.task_step()], 0
    after = {exchange["seq"]: place for place, exchange in enumerate(exchanges) if exchange["seq"] is not None}
    for action in actions:
        place = after.get(action.seq)
        if place is not None:
            steps += [told.unanswered(exchange) for exchange in exchanges[waiting:place]]
            waiting = place + 1
        steps.append(told.action_step(action, None if place is None else exchanges[place]))
    steps += [told.unanswered(exchange) for exchange in exchanges[waiting:]]
    for number, step in enumerate(steps, 1):
        step["step_id"] = number
    costs = [exchange["cost"] for exchange in exchanges if exchange["cost"] is not None]
    figures = of_log(task, session, actions)
    kept = ("final", "at_half", "auc", "best", "best_step", "final_best_gap", "invalid_rate", "rejected_rate")
    return {
        "schema_version": VERSION,
        "session_id": session.id,
        "trajectory_id": session.id,
        "agent": _agent(task, session),
        "steps": [_without_none(step) for step in steps],
        "notes": NOTES,
        "final_metrics": _without_none(
            {
                "total_prompt_tokens": sum(exchange["prompt_tokens"] for exchange in exchanges) or None,
                "total_completion_tokens": sum(exchange["completion_tokens"] for exchange in exchanges) or None,
                "total_cost_usd": sum(costs) if costs else None,
                "total_steps": len(steps),
                "extra": {**{name: getattr(figures, name) for name in kept}, "skill": skill_of(task, figures.final)},
            }
        ),
        "extra": {
            "task_id": task.id,
            "task_digest": session.task_digest,
            "task_set": session.task_set,
            "protocol": session.protocol,
            "renderer": session.renderer,
            "metric": session.metric,
            "status": actions[-1].status if actions else "open",
            "parent_id": session.parent_id,
            "fork_step": session.fork_step,
            "imported_from": session.imported_from,
        },
    }


def _agent(task: Task, session: SessionRecord) -> dict[str, Any]:
    rules = protocol_for(ProtocolName(session.protocol), task.kind)
    return _without_none(
        {
            "name": session.player_name,
            "version": UNKNOWN,
            "model_name": session.player_model,
            "tool_definitions": tools_of(rules, "float", task.kind.semantic),
            "extra": {"kind": session.player_kind},
        }
    )


class _Told:
    """Makes the steps of one session."""

    def __init__(self, task: Task, session: SessionRecord, base: str | None) -> None:
        self._task, self._session, self._base = task, session, base

    def task_step(self) -> dict[str, Any]:
        """What was asked for, and by which rules."""
        session, task = self._session, self._task
        rules = protocol_for(ProtocolName(session.protocol), task.kind)
        budget = f"{task.budget} steps" if rules.budget else "no limit of steps"
        text = f"{task.instruction} Canvas: {task.width} px square; {session.protocol} protocol, {budget}."
        path = f"/api/tasks/{task.id}/reference.png" if task.shows_reference else None
        return {
            "step_id": 0,
            "timestamp": session.created_at,
            "source": "user",
            "message": self._with_picture(text, path),
            "extra": {"scores": session.start_scores},
        }

    def action_step(self, action: ActionRecord, exchange: Mapping[str, Any] | None) -> dict[str, Any]:
        """An action, what became of it and what led to it."""
        score = headline(restored(action.scores))
        told = f"{action.outcome}{f': {action.message}' if action.message else ''}; score {score:.4f}"
        picture = f"/api/sessions/{self._session.id}/canvas.png?step={action.step}"
        result: dict[str, Any] = {
            "content": self._with_picture(told, picture),
            "extra": {"outcome": action.outcome, "score": score, "scores": action.scores},
        }
        call = None
        if action.kind != "invalid":  # what could not be read is no call
            call = {"tool_call_id": f"call-{action.seq}", "function_name": action.kind, "arguments": action.params}
            result["source_call_id"] = call["tool_call_id"]
        return {
            "step_id": 0,
            "timestamp": action.at,
            "source": "agent",
            **_said(exchange),
            "tool_calls": [call] if call else None,
            "observation": {"results": [result]},
            "llm_call_count": self._calls(action, exchange),
            "is_copied_context": True if action.session_id != self._session.id else None,
            "extra": {
                "seq": action.seq,
                "step": action.step,
                "status": action.status,
                "actor": action.actor,
                "guest": action.guest,
                "canvas_digest": action.canvas_digest,
                "reading_notes": exchange["notes"] if exchange else None,
            },
        }

    def unanswered(self, exchange: Mapping[str, Any]) -> dict[str, Any]:
        """What a model said that no action came of, as when a guest was faster."""
        said = {"step_id": 0, "timestamp": exchange["at"], "source": "agent", **_said(exchange), "llm_call_count": 1}
        return {**said, "extra": {"seq": None, "reading_notes": exchange["notes"]}}

    def _calls(self, action: ActionRecord, exchange: Mapping[str, Any] | None) -> int | None:
        """Model calls behind a step; None where nobody tells, as of an agent outside."""
        if exchange:
            return 1
        outside = self._session.player_kind == "agent" and not by_another(action, self._session)
        return None if outside else 0

    def _with_picture(self, text: str, path: str | None) -> str | list[dict[str, Any]]:
        if self._base is None or path is None:
            return text
        source = {"media_type": "image/png", "path": self._base + path}
        return [{"type": "text", "text": text}, {"type": "image", "source": source}]


def _said(exchange: Mapping[str, Any] | None) -> dict[str, Any]:
    """Words, thoughts and usage of an exchange; the reply is an endpoint's JSON and may be of any shape."""
    if not exchange:
        return {"message": ""}
    reply: Any = exchange["reply"]
    choices = reply.get("choices") if isinstance(reply, dict) else None
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, dict) else None
    said = message if isinstance(message, dict) else {}
    thoughts = next((said[name] for name in REASONING if isinstance(said.get(name), str)), None)
    counted = exchange["prompt_tokens"] or exchange["completion_tokens"]
    return {
        "message": said["content"] if isinstance(said.get("content"), str) else "",
        "reasoning_content": thoughts,
        "metrics": _without_none(
            {
                "prompt_tokens": exchange["prompt_tokens"] if counted else None,
                "completion_tokens": exchange["completion_tokens"] if counted else None,
                "cost_usd": exchange["cost"],
                "extra": {"latency": exchange["latency"], "retries": len(exchange["retries"])},
            }
        ),
    }


def _without_none(value: dict[str, Any]) -> dict[str, Any]:
    return {name: content for name, content in value.items() if content is not None}
