/* Colours as [r, g, b] bytes, hex and HSV; and the palette of a picture. */

export const toHex = (rgb) => `#${rgb.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`.toUpperCase();

/** [r, g, b] of "#4F7C86", "4f7c86" or "#abc"; null for anything else. */
export function fromHex(text) {
  const digits = /^\s*#?([0-9a-f]{6}|[0-9a-f]{3})\s*$/i.exec(text)?.[1];
  if (!digits) return null;
  const full = digits.length === 3 ? [...digits].map((d) => d + d).join("") : digits;
  return [0, 2, 4].map((at) => parseInt(full.slice(at, at + 2), 16));
}

/** {h: 0-360, s: 0-1, v: 0-1}. */
export function toHsv([r, g, b]) {
  const most = Math.max(r, g, b), span = most - Math.min(r, g, b);
  let h = 0;
  if (span) h = most === r ? (g - b) / span : most === g ? 2 + (b - r) / span : 4 + (r - g) / span;
  return { h: (h * 60 + 360) % 360, s: most ? span / most : 0, v: most / 255 };
}

export function fromHsv({ h, s, v }) {
  const part = (n) => { const k = (n + h / 60) % 6; return Math.round(255 * (v - v * s * Math.max(0, Math.min(k, 4 - k, 1)))); };
  return [part(5), part(3), part(1)];
}

/* OKLab: distances in it are near to what the eye sees. */
const LINEAR = Float64Array.from({ length: 256 }, (_, byte) => { const c = byte / 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; });
export function toLab(red, green, blue) {
  const r = LINEAR[red], g = LINEAR[green], b = LINEAR[blue];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s, 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s];
}

/**
 * `count` colours that carry a picture (ImageData): k-means in OKLab, begun at the mean and then always at the pixel
 * farthest from all centres, so that a small accent gets its place. Each answer is a colour that occurs in the picture.
 */
export function palette(image, count = 6, rounds = 8) {
  const bins = new Map(); // 5 bits a channel: a few hundred colours stand for all pixels
  const { data } = image;
  for (let i = 0; i < data.length; i += 4) {
    const key = ((data[i] >> 3) << 10) | ((data[i + 1] >> 3) << 5) | (data[i + 2] >> 3);
    const bin = bins.get(key) || bins.set(key, { n: 0, r: 0, g: 0, b: 0 }).get(key);
    bin.n += 1; bin.r += data[i]; bin.g += data[i + 1]; bin.b += data[i + 2];
  }
  const colours = [...bins.values()].map(({ n, r, g, b }) => {
    const rgb = [r, g, b].map((sum) => Math.round(sum / n));
    return { n, rgb, lab: toLab(...rgb) };
  });
  const distance = (p, q) => (p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2 + (p[2] - q[2]) ** 2;
  const most = colours.reduce((a, b) => (b.n > a.n ? b : a));
  const centres = [most.lab];
  while (centres.length < Math.min(count, colours.length)) {
    const weight = (c) => Math.sqrt(c.n) * Math.min(...centres.map((centre) => distance(centre, c.lab)));
    const next = colours.reduce((a, b) => (weight(b) > weight(a) ? b : a));
    if (weight(next) === 0) break;
    centres.push(next.lab);
  }
  let groups = [];
  for (let round = 0; round < rounds; round++) {
    groups = centres.map(() => []);
    for (const c of colours) {
      let best = 0;
      for (let k = 1; k < centres.length; k++) if (distance(centres[k], c.lab) < distance(centres[best], c.lab)) best = k;
      groups[best].push(c);
    }
    groups.forEach((group, k) => {
      const n = group.reduce((sum, c) => sum + c.n, 0);
      if (n) centres[k] = [0, 1, 2].map((i) => group.reduce((sum, c) => sum + c.n * c.lab[i], 0) / n);
    });
  }
  return groups.map((group, k) => group.length && group.reduce((a, b) => (distance(centres[k], b.lab) < distance(centres[k], a.lab) ? b : a)))
    .filter(Boolean).sort((a, b) => b.lab[0] - a.lab[0]).map((c) => c.rgb);
}
