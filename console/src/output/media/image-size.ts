/** The pixels of a picture in a `data:` address, read from its first bytes (PNG, GIF). */
export function pixelsOf(address: string): number | undefined {
  const match = /^data:image\/(png|gif);base64,/i.exec(address)
  if (match === null) return undefined
  const bytes = firstBytes(address.slice(match[0].length, match[0].length + 64))
  if (bytes === undefined || bytes.byteLength < 24) return undefined
  if (match[1]?.toLowerCase() === 'gif') return bytes.getUint16(6, true) * bytes.getUint16(8, true)
  return bytes.getUint32(16) * bytes.getUint32(20)
}

function firstBytes(base64: string): DataView | undefined {
  try {
    const text = atob(base64.slice(0, base64.length - (base64.length % 4)))
    return new DataView(Uint8Array.from(text, (character) => character.charCodeAt(0)).buffer)
  } catch {
    return undefined
  }
}
