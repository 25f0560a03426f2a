/** Unpacking of what the page is delivered with. */

/** Whether bytes are those of gzip. A host may have unpacked them already. */
const isPacked = (bytes: Uint8Array) => bytes[0] === 0x1f && bytes[1] === 0x8b;

/** The bytes, unpacked if they are packed. */
export async function unpack(packed: Blob): Promise<Blob> {
  const head = new Uint8Array(await packed.slice(0, 2).arrayBuffer());
  if (!isPacked(head)) return packed;
  return new Response(packed.stream().pipeThrough(new DecompressionStream("gzip"))).blob();
}

/** The bytes of a base64 text. */
export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
