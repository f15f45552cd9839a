/* A film in a thread of its own. */
import { Booth } from "./booth.js";

const booth = new Booth((message) => postMessage(message, message.pixels ? [message.pixels.buffer] : []));
addEventListener("message", ({ data }) => booth[data.type](data));
