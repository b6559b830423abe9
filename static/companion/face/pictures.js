/* Pictures: made small and drawn anew on the device, so that nothing of where they were taken stays. */
import { fresh } from "../device.js";

const LONGEST = 1280;
const shown = new Map();

/** A picture made small: {name, bytes, type}. Throws where the file is none. */
export async function shrunk(file, now_ms) {
  const image = await createImageBitmap(file);
  const scale = Math.min(1, LONGEST / Math.max(image.width, image.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(image.width * scale));
  canvas.height = Math.max(1, Math.round(image.height * scale));
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  image.close();
  const blob = await new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.82));
  if (!blob) throw new Error("no picture");
  return { name: `p${now_ms}-${fresh()}.jpg`, bytes: await blob.arrayBuffer(), type: blob.type };
}

/** An address of a held picture for this page, or null while its bytes are not here. */
export async function addressOf(copy, name) {
  if (shown.has(name)) return shown.get(name);
  const held = await copy.picture(name);
  if (!held) return null;
  const address = URL.createObjectURL(new Blob([held.bytes], { type: held.type }));
  shown.set(name, address);
  return address;
}

/** Let go of addresses of pictures that are not held any more. */
export async function dropGone(copy) {
  const held = new Set(await copy.pictureNames());
  for (const [name, address] of shown) {
    if (held.has(name)) continue;
    URL.revokeObjectURL(address);
    shown.delete(name);
  }
}
