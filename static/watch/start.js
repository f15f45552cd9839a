/* The canvas that a session begins with. */
import { h } from "../dom.js";
import { isSemantic } from "../tasks.js";

const pixelsOf = (picture, size) => {
  const context = h("canvas", { width: size, height: size }).getContext("2d", { willReadFrequently: true });
  context.drawImage(picture, 0, 0);
  return context.getImageData(0, 0, size, size).data;
};

/** Its RGBA bytes: white, or the task's `picture`, which for a reconstruction is the reference. */
export const startOf = (task, picture) => (isSemantic(task) ? pixelsOf(picture, task.width) : new Uint8ClampedArray(task.width * task.width * 4).fill(255));
