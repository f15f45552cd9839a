/* The renderer brush/1 in the browser: the preview of a stroke is made of the same discs as the server's pixels.

   Radius in pixels = 0.5 + radius · W / 4; radius and opacity are linear in t. A disc covers a pixel by
   clamp(r + 0.5 − distance to its centre, 0, 1); `cover` is the largest so far; `value` moves to the disc's opacity by
   its share of the cover, so the last disc wins; the mask is round(255 · cover · value). */

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

function disc(field, cx, cy, radius, opacity) {
  const { width, height, cover, value } = field, outer = radius + 0.5;
  const top = Math.max(0, Math.ceil(cy - outer - 0.5)), bottom = Math.min(height, Math.floor(cy + outer - 0.5) + 1);
  for (let y = top; y < bottom; y++) {
    const dy = y + 0.5 - cy, reach = outer * outer - dy * dy;
    if (reach <= 0) continue;
    const half = Math.sqrt(reach);
    const left = Math.max(0, Math.ceil(cx - half - 0.5)), right = Math.min(width, Math.floor(cx + half - 0.5) + 1);
    const inner = radius - 0.5, solid = inner > 0 ? inner * inner - dy * dy : 0;
    for (let x = left, at = y * width + left; x < right; x++, at++) {
      const dx = x + 0.5 - cx;
      if (solid > 0 && dx * dx <= solid) { cover[at] = 1; value[at] = opacity; continue; }
      const part = Math.min(1, outer - Math.sqrt(dx * dx + dy * dy));
      if (part <= 0) continue;
      const most = Math.max(cover[at], part);
      value[at] += (opacity - value[at]) * (part / most);
      cover[at] = most;
    }
  }
}

/* Discs are at most sqrt(0.4 r) px apart, 1/8 in t, 1/64 in opacity and half a pixel in radius. A step d in t moves the
   centre by v·d + a·d·d, at most |v|·d + |a|·d·d: the step is the largest that keeps this within the spacing. */
function sweep(field, p) {
  const longest = Math.min(0.125, 1 / (64 * Math.abs(p.w1 - p.w0)), 0.5 / Math.abs(p.r1 - p.r0));
  const bend = Math.hypot(p.x0 - 2 * p.x1 + p.x2, p.y0 - 2 * p.y1 + p.y2);
  for (let t = 0; ;) {
    const s = 1 - t, radius = p.r0 + t * (p.r1 - p.r0);
    disc(field, s * s * p.x0 + 2 * s * t * p.x1 + t * t * p.x2, s * s * p.y0 + 2 * s * t * p.y1 + t * t * p.y2, radius, p.w0 + t * (p.w1 - p.w0));
    if (t >= 1) return;
    const speed = 2 * Math.hypot(s * (p.x1 - p.x0) + t * (p.x2 - p.x1), s * (p.y1 - p.y0) + t * (p.y2 - p.y1));
    const spacing = Math.sqrt(0.4 * radius), ahead = (2 * spacing) / (speed + Math.sqrt(speed * speed + 4 * bend * spacing));
    t = Math.min(1, t + Math.min(longest, ahead));
  }
}

/**
 * Mask of a path in pixels: x0 y0 x1 y1 x2 y2, radii r0 r1 in pixels, opacities w0 w1.
 * Returns {left, top, width, height, alpha: Uint8ClampedArray}, the part of the canvas that it can touch.
 */
export function pathMask(p, canvasWidth, canvasHeight) {
  const reach = Math.max(p.r0, p.r1) + 1;
  const left = Math.max(0, Math.floor(Math.min(p.x0, p.x1, p.x2) - reach)), top = Math.max(0, Math.floor(Math.min(p.y0, p.y1, p.y2) - reach));
  const width = Math.max(1, Math.min(canvasWidth, Math.ceil(Math.max(p.x0, p.x1, p.x2) + reach)) - left);
  const height = Math.max(1, Math.min(canvasHeight, Math.ceil(Math.max(p.y0, p.y1, p.y2) + reach)) - top);
  const field = { width, height, cover: new Float64Array(width * height), value: new Float64Array(width * height) };
  const shifted = { ...p, x0: p.x0 - left, x1: p.x1 - left, x2: p.x2 - left, y0: p.y0 - top, y1: p.y1 - top, y2: p.y2 - top };
  sweep(field, shifted);
  const alpha = new Uint8ClampedArray(width * height);
  for (let i = 0; i < alpha.length; i++) alpha[i] = Math.round(255 * field.cover[i] * field.value[i]);
  return { left, top, width, height, alpha };
}

/** Mask of a stroke (13 named numbers in [0, 1]) on a square canvas of `size` pixels. */
export function strokeMask(stroke, size) {
  return pathMask({
    x0: stroke.x_start * size, y0: stroke.y_start * size,
    x1: stroke.x_control * size, y1: stroke.y_control * size,
    x2: stroke.x_end * size, y2: stroke.y_end * size,
    r0: pixelRadius(stroke.radius_start, size), w0: stroke.opacity_start,
    r1: pixelRadius(stroke.radius_end, size), w1: stroke.opacity_end,
  }, size, size);
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
