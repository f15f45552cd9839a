/* What the data in a file is called: as the file says on its first line, else as it is called itself. */

const HEAD = 16 * 1024; // characters of a file that are looked at
const GZIP = [0x1f, 0x8b];

/* The first line of what a file holds, or its beginning where the line is long. */
async function firstLine(file) {
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer()), packed = GZIP.every((byte, k) => head[k] === byte);
  const bytes = packed ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream();
  const reader = bytes.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  try {
    for (let done = false; !done && text.length < HEAD && !text.includes("\n");) {
      const read = await reader.read();
      done = read.done;
      text += read.value ?? "";
    }
  } finally { reader.cancel().catch(() => {}); }
  return text.split("\n", 1)[0];
}

/** The name that a file in a format of this studio gives its set on the first line; null if it gives none, or cannot be read here. */
export async function nameIn(file) {
  try {
    const { type, name } = JSON.parse(await firstLine(file));
    return type === "set" && typeof name === "string" ? name : null;
  } catch { return null; } // what is wrong with it the server tells
}

/** A file's name without what its kind is: the endings that are taken, with or without .gz. */
export function stemOf(name, accepted) {
  const bare = name.replace(/\.gz$/i, ""), ending = accepted.split(",").find((one) => bare.toLowerCase().endsWith(one));
  return [...(ending ? bare.slice(0, -ending.length) : bare).replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, "").trim()].slice(0, 80).join("").trim();
}
