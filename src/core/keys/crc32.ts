const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? 0xedb88320 ^ (rest >>> 1) : rest >>> 1
  return rest
})

/** CRC-32 (ISO-HDLC) of an ASCII text, as in `zlib`, but without Node. */
export function crc32(text: string): number {
  let rest = 0xffffffff
  for (let index = 0; index < text.length; index++) {
    rest = (table[(rest ^ text.charCodeAt(index)) & 0xff] ?? 0) ^ (rest >>> 8)
  }
  return (rest ^ 0xffffffff) >>> 0
}
