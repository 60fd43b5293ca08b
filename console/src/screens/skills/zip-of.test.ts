import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { zipOf } from './zip-of.ts'

test('a zip has headers, the bytes and a matching directory', () => {
  const bytes = new TextEncoder().encode('---\nname: x\n---\nDo it.')
  const zip = zipOf([
    { path: 'SKILL.md', bytes },
    { path: 'ä/b.txt', bytes: new Uint8Array() },
  ])
  const view = new DataView(zip.buffer)
  const end = zip.length - 22
  expect(view.getUint32(end, true)).toBe(0x06054b50)
  expect(view.getUint16(end + 10, true)).toBe(2)
  const directory = view.getUint32(end + 16, true)
  expect(view.getUint32(directory, true)).toBe(0x02014b50)
  expect([view.getUint32(directory + 16, true), view.getUint32(14, true)]).toEqual([
    crc32(bytes),
    crc32(bytes),
  ])
  expect(view.getUint32(directory + 42, true)).toBe(0)
  expect(new TextDecoder().decode(zip.subarray(30, 38))).toBe('SKILL.md')
  expect(zip.subarray(38, 38 + bytes.length)).toEqual(bytes)
})
