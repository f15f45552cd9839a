/* The renderer brush/1 in the browser. It does the engine's own operations in the engine's order, all in float64, and so
   gives the engine's bytes: what is painted here is what was recorded, and a preview is what will be painted.

   Radius in pixels = 0.5 + radius · W / 4; radius and opacity are linear in t. A disc covers a pixel by
   clamp(r + 0.5 − distance to its centre, 0, 1); `cover` is the largest so far; `value` moves to the disc's opacity by
   its share of the cover, so the last disc wins; the mask is floor(255 · (cover · value) + 0.5). */

/** Names of a stroke's numbers, in the published order. */
export const STROKE = [
  "x_start", "y_start", "x_control", "y_control", "x_end", "y_end",
  "radius_start", "opacity_start", "radius_end", "opacity_end", "red", "green", "blue",
];

/** A path stroke (six numbers) in the look {radius, red, green, blue} of its task's brush: opaque, of one width. A stroke
    with a look of its own stays as it is (`look` is null). */
export const dressed = (stroke, look) => (look
  ? { ...stroke, radius_start: look.radius, radius_end: look.radius, opacity_start: 1, opacity_end: 1, red: look.red, green: look.green, blue: look.blue }
  : stroke);

/** Radius in pixels of a radius in [0, 1] on a canvas `width` pixels wide. */
export const pixelRadius = (radius, width) => 0.5 + (radius * width) / 4;

const SAFE = 1e-6; // rims are searched this much too wide (px), so that rounding cannot hide a pixel from the rule

/* Discs of a path in pixels, flat: x, y, radius, opacity of each. They are at most sqrt(0.4 r) px apart, 1/8 in t, 1/64 in
   opacity and half a pixel in radius. A step d in t moves the centre by v·d + a·d·d, at most |v|·d + |a|·d·d: the step is
   the largest that keeps this within the spacing. */
function discsOf({ x0, y0, x1, y1, x2, y2, r0, dr, w0, dw }) {
  const longest = Math.min(0.125, 1 / 64 / Math.abs(dw), 0.5 / Math.abs(dr)), discs = [];
  const bendX = x0 - 2 * x1 + x2, bendY = y0 - 2 * y1 + y2, bend = Math.sqrt(bendX * bendX + bendY * bendY);
  for (let t = 0; ;) {
    const s = 1 - t, radius = r0 + t * dr;
    discs.push(s * s * x0 + 2 * s * t * x1 + t * t * x2, s * s * y0 + 2 * s * t * y1 + t * t * y2, radius, w0 + t * dw);
    if (t >= 1) return discs;
    const speedX = 2 * (s * (x1 - x0) + t * (x2 - x1)), speedY = 2 * (s * (y1 - y0) + t * (y2 - y1)), squared = speedX * speedX + speedY * speedY;
    const spacing = Math.sqrt(0.4 * radius), ahead = (2 * spacing) / (Math.sqrt(squared) + Math.sqrt(squared + 4 * bend * spacing));
    t = Math.min(1, t + Math.min(longest, ahead));
  }
}

/* The box of the canvas that the discs can touch. */
function boxOf(discs, canvasWidth, canvasHeight) {
  let left = canvasWidth, top = canvasHeight, right = 0, bottom = 0;
  for (let k = 0; k < discs.length; k += 4) {
    const x = discs[k], y = discs[k + 1], reach = discs[k + 2] + 1;
    left = Math.min(left, Math.floor(x - reach)); right = Math.max(right, Math.ceil(x + reach));
    top = Math.min(top, Math.floor(y - reach)); bottom = Math.max(bottom, Math.ceil(y + reach));
  }
  left = Math.max(0, left); top = Math.max(0, top);
  return { left, top, width: Math.max(1, Math.min(canvasWidth, right) - left), height: Math.max(1, Math.min(canvasHeight, bottom) - top) };
}

/* Lay one disc over `cover` and `value`. The pixels that it covers fully take its opacity, those of its rim a share of it. */
function lay({ left, top, width, height, cover, value }, x, y, radius, opacity) {
  const outer = radius + 0.5, inner = radius - 0.5, last = left + width;
  const from = Math.max(top, Math.ceil(y - outer - 0.5)), to = Math.min(top + height, Math.floor(y + outer - 0.5) + 1);
  for (let row = from; row < to; row++) {
    const dy = row + 0.5 - y, chord = outer * outer - dy * dy, start = (row - top) * width - left;
    if (chord <= 0) continue;
    const half = Math.sqrt(chord) + SAFE, begin = Math.max(left, Math.ceil(x - half - 0.5)), end = Math.min(last, Math.floor(x + half - 0.5) + 1);
    const whole = inner > 0 ? inner * inner - dy * dy : 0, full = whole > 0 ? Math.sqrt(whole) - SAFE : 0;
    let first = end, after = end; // the pixels [first, after) are covered fully
    if (full > 0) {
      first = Math.max(begin, Math.ceil(x - full - 0.5));
      after = Math.min(end, Math.floor(x + full - 0.5) + 1);
      if (first >= after) first = after = end;
    }
    for (let column = begin; column < end; column++) {
      if (column === first) {
        cover.fill(1, start + first, start + after);
        value.fill(opacity, start + first, start + after);
        column = after;
        if (column >= end) break;
      }
      const dx = column + 0.5 - x, part = Math.min(outer - Math.sqrt(dx * dx + dy * dy), 1);
      if (part <= 0) continue;
      const at = start + column, most = cover[at], before = value[at];
      value[at] = part >= most ? opacity : before + (opacity - before) * (part / most);
      if (part > most) cover[at] = part;
    }
  }
}

function maskOf(path, canvasWidth, canvasHeight) {
  const discs = discsOf(path), box = boxOf(discs, canvasWidth, canvasHeight), size = box.width * box.height;
  const field = { ...box, cover: new Float64Array(size), value: new Float64Array(size) }, { cover, value } = field;
  for (let k = 0; k < discs.length; k += 4) lay(field, discs[k], discs[k + 1], discs[k + 2], discs[k + 3]);
  const alpha = new Uint8ClampedArray(size);
  for (let i = 0; i < size; i++) alpha[i] = Math.floor(255 * (cover[i] * value[i]) + 0.5);
  return { ...box, alpha };
}

/**
 * Mask of a path in pixels: x0 y0 x1 y1 x2 y2, radii r0 r1 in pixels, opacities w0 w1.
 * Returns {left, top, width, height, alpha: Uint8ClampedArray}, the part of the canvas that it can touch.
 */
export const pathMask = (p, canvasWidth, canvasHeight) => maskOf({ ...p, dr: p.r1 - p.r0, dw: p.w1 - p.w0 }, canvasWidth, canvasHeight);

/** Mask of a stroke (13 named numbers in [0, 1]) on a square canvas of `size` pixels: the engine's, to the byte. */
export const strokeMask = (stroke, size) => maskOf({
  x0: stroke.x_start * size, y0: stroke.y_start * size, x1: stroke.x_control * size, y1: stroke.y_control * size, x2: stroke.x_end * size, y2: stroke.y_end * size,
  // in this order of operations, as the engine has it: any other one could round to another byte
  r0: 0.5 + (stroke.radius_start * size) / 4, dr: ((stroke.radius_end - stroke.radius_start) * size) / 4,
  w0: stroke.opacity_start, dw: stroke.opacity_end - stroke.opacity_start,
}, size, size);

/** Paint a mask in a colour ([r, g, b] bytes) over RGBA bytes of a canvas `size` wide: canvas ← (colour·mask + canvas·(255 − mask) + 127) // 255. */
export function composite(pixels, size, { left, top, width, height, alpha }, [red, green, blue]) {
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0, at = ((top + y) * size + left) * 4; x < width; x++, i++, at += 4) {
      const a = alpha[i], rest = 255 - a;
      if (!a) continue;
      // all is positive and below 2 ** 16, so | 0 cuts as // does
      pixels[at] = ((red * a + pixels[at] * rest + 127) / 255) | 0;
      pixels[at + 1] = ((green * a + pixels[at + 1] * rest + 127) / 255) | 0;
      pixels[at + 2] = ((blue * a + pixels[at + 2] * rest + 127) / 255) | 0;
    }
  }
}

/** The mask in a colour ([r, g, b] bytes) as an ImageData, to be drawn over a canvas. */
export function tinted(mask, [red, green, blue]) {
  const image = new ImageData(mask.width, mask.height);
  const pixels = new Uint32Array(image.data.buffer), ink = (blue << 16) | (green << 8) | red; // little-endian, as every browser's machine
  for (let i = 0; i < pixels.length; i++) pixels[i] = ((mask.alpha[i] << 24) | ink) >>> 0;
  return image;
}

/** Colour byte of a number in [0, 1], and back. */
export const toByte = (value) => Math.floor(255 * value + 0.5);
export const strokeColour = (stroke) => [toByte(stroke.red), toByte(stroke.green), toByte(stroke.blue)];
