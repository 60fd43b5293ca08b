export interface PictureSize {
  width: number
  height: number
}

/**
 * The size of a picture by its first bytes, undefined for other and truncated files: a
 * provider refuses a whole request for a picture that it can't open.
 */
export function readPictureSize(mediaType: string, bytes: Uint8Array): PictureSize | undefined {
  const end = String.fromCodePoint(...bytes.subarray(-1024))
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    const size = readers[mediaType]?.(view, end)
    return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined
  } catch (error) {
    // It ends in the middle of its header.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

type Reader = (view: DataView, end: string) => PictureSize | undefined

const readers: Readonly<Record<string, Reader>> = {
  'image/png': (view, end) =>
    end.includes('IEND') ? { width: view.getUint32(16), height: view.getUint32(20) } : undefined,
  'image/gif': (view, end) =>
    end.includes(';')
      ? { width: view.getUint16(6, true), height: view.getUint16(8, true) }
      : undefined,
  'image/jpeg': (view, end) => (end.includes('\u00ff\u00d9') ? readJpeg(view) : undefined),
  'image/webp': (view) =>
    view.getUint32(4, true) + 8 <= view.byteLength ? readWebp(view) : undefined,
}

/** Segment by segment, until the one that begins a frame. */
function readJpeg(view: DataView): PictureSize | undefined {
  for (let at = 2; view.getUint8(at) === 0xff;) {
    const marker = view.getUint8(at + 1)
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (isFrame(marker)) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
    at += 2 + view.getUint16(at + 2)
  }
  return undefined
}

/** C4, C8 and CC look like frames and hold tables. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

function readWebp(view: DataView): PictureSize | undefined {
  const kind = String.fromCodePoint(...[12, 13, 14, 15].map((at) => view.getUint8(at)))
  if (kind === 'VP8 ') {
    return {
      width: view.getUint16(26, true) & 0x3fff,
      height: view.getUint16(28, true) & 0x3fff,
    }
  }
  if (kind === 'VP8L') {
    const bits = view.getUint32(21, true)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (kind !== 'VP8X') return undefined
  const threeBytes = (at: number) => view.getUint16(at, true) + (view.getUint8(at + 2) << 16)
  return { width: threeBytes(24) + 1, height: threeBytes(27) + 1 }
}
