import { expect, test } from 'vitest'
import { toPng } from '../testing/to-png.ts'
import { readPictureSize } from './picture-size.ts'

const bytes = (...parts: (string | readonly number[])[]) =>
  Buffer.concat(
    parts.map((part) =>
      typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part),
    ),
  )
const jpegTable = [0xff, 0xc4, 0, 4, 1, 2]
const jpeg = bytes(
  [0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2],
  jpegTable,
  [0xff, 0xff, 0xc2, 0, 11, 8, 0, 200, 1, 44, 1, 0x11, 0],
  [0xff, 0xd9],
)
const webp = (kind: string, ...rest: number[]) =>
  bytes('RIFF', [12 + rest.length, 0, 0, 0], 'WEBP', kind, [0, 0, 0, 0], rest)

test.each([
  ['image/png', toPng({ width: 640, height: 480 }), { width: 640, height: 480 }],
  ['image/gif', bytes('GIF89a', [10, 1, 20, 0], 'data;'), { width: 266, height: 20 }],
  ['image/jpeg', jpeg, { width: 300, height: 200 }],
  ['image/webp', webp('VP8 ', 0, 0, 0, 0x9d, 1, 0x2a, 5, 0x40, 6, 0), { width: 5, height: 6 }],
  ['image/webp', webp('VP8L', 0x2f, 0x04, 0x40, 0x01, 0), { width: 5, height: 6 }],
  ['image/webp', webp('VP8X', 0, 0, 0, 0, 4, 0, 1, 5, 0, 0), { width: 65541, height: 6 }],
])('the size of a picture of type %s is read from its header', (mediaType, picture, size) => {
  expect(readPictureSize(mediaType, picture)).toEqual(size)
})

test.each([
  ['image/png', toPng({ width: 640, height: 480 })],
  ['image/jpeg', jpeg],
  ['image/webp', webp('VP8L', 0x2f, 0x04, 0x40, 0x01, 0)],
])('a picture of type %s that was cut off anywhere has none', (mediaType, picture) => {
  for (let length = 0; length < picture.length - 8; length += 1) {
    expect(readPictureSize(mediaType, picture.subarray(0, length))).toBeUndefined()
  }
})

test('other types, and pictures without pixels, have none', () => {
  expect(readPictureSize('application/pdf', bytes('%PDF-1.7'))).toBeUndefined()
  expect(readPictureSize('image/png', toPng({ width: 0, height: 4 }))).toBeUndefined()
})
