/* Where two pictures differ, as a map of colours. */

/* Colour of a difference d in [0, 1] (mean of the three channels): night blue, ember, then yellow. */
const RAMP = [[0, [18, 24, 38]], [0.06, [44, 42, 78]], [0.18, [142, 48, 84]], [0.36, [226, 98, 54]], [0.65, [252, 206, 92]], [1, [255, 250, 220]]];
const SCALE = Uint32Array.from({ length: 766 }, (_, sum) => {
  const d = sum / 765, high = Math.max(1, RAMP.findIndex(([edge]) => edge >= d)), [e0, c0] = RAMP[high - 1], [e1, c1] = RAMP[high];
  const [r, g, b] = c0.map((from, i) => Math.round(from + ((c1[i] - from) * (d - e0)) / (e1 - e0)));
  return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
});

/** The scale of the map from 0 to 1 as a CSS gradient, for a legend. */
export const GRADIENT = `linear-gradient(90deg, ${RAMP.map(([d, colour]) => `rgb(${colour.join()}) ${100 * d}%`).join(", ")})`;

/** Paint the difference of two ImageData of one size onto a canvas. */
export function drawDifference(target, canvas, reference) {
  const { width, height, data: a } = canvas, b = reference.data, out = new ImageData(width, height);
  const ink = new Uint32Array(out.data.buffer);
  for (let i = 0, p = 0; i < ink.length; i++, p += 4) {
    ink[i] = SCALE[Math.abs(a[p] - b[p]) + Math.abs(a[p + 1] - b[p + 1]) + Math.abs(a[p + 2] - b[p + 2])];
  }
  target.width = width;
  target.height = height;
  target.getContext("2d").putImageData(out, 0, 0);
}
