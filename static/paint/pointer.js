/* Mouse, pen and touch on a picture: one finger or the pen draws, two fingers zoom and pan, a palm is ignored. */
import { clamp } from "../dom.js";

const PALM = 800; // ms after the pen was seen in which fingers do not draw

/**
 * Watch a picture's frame.
 * `hooks`: tool(event) -> "draw" | "pick" | "pan" | null; begin(samples, info) -> whether to go on, move, end, cancel;
 * hover(event | null); pick(event, done); pinched().
 * Samples are {x, y, pressure}, inside [0, 1]; info is {pen, straight}.
 */
export function watchPointers(frame, view, hooks) {
  const fingers = new Map(); // pointerId -> last event
  let active = null, penSeen = -Infinity;

  const sample = (event) => {
    const { x, y } = view.toCanvas(frame, event);
    return { x: clamp(x), y: clamp(y), pressure: event.pressure };
  };
  const info = (event) => ({ pen: event.pointerType === "pen", straight: event.shiftKey });

  function stop() {
    if (active?.kind === "draw") hooks.cancel();
    active = null;
  }

  function pinch() {
    const [a, b] = [...fingers.values()];
    return { x: (a.clientX + b.clientX) / 2, y: (a.clientY + b.clientY) / 2, span: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) || 1 };
  }

  frame.addEventListener("pointerdown", (event) => {
    if (event.target.closest("button, a")) return;
    if (event.pointerType === "pen") penSeen = event.timeStamp;
    if (event.pointerType === "touch") {
      fingers.set(event.pointerId, event);
      frame.setPointerCapture(event.pointerId);
      if (fingers.size === 2) { stop(); active = { kind: "pinch", ...pinch() }; hooks.hover(null); return; }
      if (fingers.size > 2 || active || event.timeStamp - penSeen < PALM) return;
    } else if (active) return;
    const kind = event.button === 1 ? "pan" : event.button === 0 ? hooks.tool(event) : null;
    if (!kind) return;
    event.preventDefault();
    frame.focus({ preventScroll: true });
    frame.dataset.pressed = ""; // no focus ring for a hand that draws; keys bring it back
    frame.setPointerCapture(event.pointerId);
    active = { kind, id: event.pointerId, x: event.clientX, y: event.clientY, samples: [sample(event)] };
    if (kind === "draw" && !hooks.begin(active.samples, info(event))) active = null;
    if (kind === "pick") hooks.pick(event, false);
    frame.classList.toggle("panning", kind === "pan");
  });

  frame.addEventListener("pointermove", (event) => {
    if (event.pointerType === "pen") penSeen = event.timeStamp;
    if (fingers.has(event.pointerId)) fingers.set(event.pointerId, event);
    if (active?.kind === "pinch" && fingers.size === 2) {
      const now = pinch();
      view.pan(frame, now.x - active.x, now.y - active.y);
      view.zoomAt(frame, now.x, now.y, now.span / active.span, false);
      Object.assign(active, now);
      return;
    }
    if (active?.id !== event.pointerId) { if (event.pointerType !== "touch") hooks.hover(event); return; }
    if (active.kind === "draw") {
      const events = event.getCoalescedEvents?.() ?? [];
      active.samples.push(...(events.length ? events : [event]).map(sample));
      hooks.move(active.samples, info(event));
      if (event.pointerType !== "touch") hooks.hover(event);
    } else if (active.kind === "pan") {
      view.pan(frame, event.clientX - active.x, event.clientY - active.y);
      Object.assign(active, { x: event.clientX, y: event.clientY });
    } else if (active.kind === "pick") hooks.pick(event, false);
  });

  function up(event) {
    fingers.delete(event.pointerId);
    frame.classList.remove("panning");
    if (active?.kind === "pinch") { if (fingers.size < 2) { active = null; hooks.pinched(); } return; }
    if (active?.id !== event.pointerId) return;
    const { kind, samples } = active;
    active = null;
    if (kind === "draw") {
      const last = sample(event);
      hooks.end([...samples, { ...last, pressure: samples.at(-1).pressure }], info(event)); // a lifted pen reports no pressure
    } else if (kind === "pick") hooks.pick(event, true);
  }
  frame.addEventListener("pointerup", up);
  frame.addEventListener("pointercancel", (event) => {
    fingers.delete(event.pointerId);
    if (active?.id === event.pointerId || active?.kind === "pinch") stop();
  });
  for (const name of ["blur", "keydown"]) {
    frame.addEventListener(name, (event) => { if (name === "blur" || /^(Arrow|Enter|Tab)/.test(event.key)) delete frame.dataset.pressed; });
  }
  frame.addEventListener("pointerleave", () => { if (!active) hooks.hover(null); });
  frame.addEventListener("contextmenu", (event) => { if (active) event.preventDefault(); }); // a long press while drawing

  frame.addEventListener("wheel", (event) => {
    event.preventDefault();
    if (event.shiftKey || (Math.abs(event.deltaX) > Math.abs(event.deltaY) && !event.ctrlKey)) {
      view.pan(frame, -(event.deltaX || event.deltaY), 0);
      return;
    }
    const lines = event.deltaMode === 1 ? 16 : 1;
    view.zoomAt(frame, event.clientX, event.clientY, Math.exp(clamp(-event.deltaY * lines, -240, 240) * (event.ctrlKey ? 0.01 : 0.002)), !event.ctrlKey);
  }, { passive: false });

  return { get busy() { return active?.kind === "draw"; }, cancel: stop };
}
