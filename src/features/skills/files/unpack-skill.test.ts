import { deflateRawSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { skillBounds } from '../model.ts'
import { unpackSkill } from './unpack-skill.ts'

const text = strToU8('---\nname: a\n---\n')

function patch(zip: Uint8Array, change: (view: DataView, zip: Uint8Array) => void): Uint8Array {
  const copy = zip.slice()
  change(new DataView(copy.buffer), copy)
  return copy
}

/** The offset of the nth record with this signature. */
function findRecord(view: DataView, signature: number, nth = 0): number {
  let left = nth
  for (let at = 0; at + 4 <= view.byteLength; at += 1) {
    if (view.getUint32(at, true) !== signature) continue
    if (left === 0) return at
    left -= 1
  }
  throw new Error('there is no such record')
}

const local = 0x04034b50
const central = 0x02014b50
const end = 0x06054b50

async function refusal(zip: Uint8Array): Promise<string> {
  const error: unknown = await unpackSkill(zip).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toMatchObject({ code: 'invalid_skill' })
  return (error as Error).message
}

describe('a zip', () => {
  test('gives its files as they were, packed or stored, and leaves out folders and litter', async () => {
    const noise = Uint8Array.from({ length: 5000 }, (_, at) => (at * 7919) % 251)
    const zip = zipSync({
      'SKILL.md': text,
      'a/b.bin': noise,
      'a/stored.bin': [noise, { level: 0 }],
      'empty.txt': new Uint8Array(0),
      __MACOSX: { '._SKILL.md': text },
      folder: {},
    })
    expect(await unpackSkill(zip)).toEqual([
      { path: 'SKILL.md', bytes: text },
      { path: 'a/b.bin', bytes: noise },
      { path: 'a/stored.bin', bytes: noise },
      { path: 'empty.txt', bytes: new Uint8Array(0) },
    ])
  })

  test('inside another stays packed', async () => {
    const inner = zipSync({ bomb: new Uint8Array(100_000_000) }, { level: 9 })
    const files = await unpackSkill(zipSync({ 'SKILL.md': text, 'inner.zip': inner }))
    expect(files[1]).toEqual({ path: 'inner.zip', bytes: inner })
  })

  test.each([
    '../evil',
    'a/../../evil',
    '/etc/passwd',
    'C:\\evil',
    'a\\b',
    'x'.repeat(256),
    'a\0b',
  ])('with the path %j is refused', async (path) => {
    expect(await refusal(zipSync({ 'SKILL.md': text, [path]: text }))).toMatch(/The file /)
  })

  test('that unpacks to too much is refused by its declared size', async () => {
    const bomb = zipSync({ 'SKILL.md': text, bomb: new Uint8Array(4_000_000) }, { level: 9 })
    expect(await refusal(bomb)).toMatch(/over 200 times its size/)
    const large = Uint8Array.from(
      { length: 4_500_000 },
      (_, at) => Math.imul(at, 2654435761) >>> 24,
    )
    const many = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, large]))
    const packed = zipSync(many, { level: 6 })
    expect(await refusal(packed)).toMatch(
      packed.length > skillBounds.zipBytes ? /The zip has/ : /It unpacks to/,
    )
    const files = Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`f${at}`, text]))
    expect(await refusal(zipSync(files))).toMatch(/600 files/)
    expect(await refusal(new Uint8Array(skillBounds.zipBytes + 1))).toMatch(/The zip has/)
  })

  test('that declares less than it unpacks to is stopped on the way', async () => {
    const packed = deflateRawSync(Buffer.alloc(4_000_000))
    const zip = patch(zipSync({ 'SKILL.md': text, bomb: [packed, { level: 0 }] }), (view) => {
      for (const [record, method, size] of [
        [findRecord(view, local, 1), 8, 22],
        [findRecord(view, central, 1), 10, 24],
      ] as const) {
        view.setUint16(record + method, 8, true)
        view.setUint32(record + size, 1000, true)
      }
    })
    expect(await refusal(zip)).toMatch(/does not match its declared content/)
  })

  test('with content that does not match its checksum is refused', async () => {
    const zip = patch(zipSync({ 'SKILL.md': [text, { level: 0 }] }), (view) => {
      const at = findRecord(view, local)
      const start = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true)
      view.setUint8(start, 0x41)
    })
    expect(await refusal(zip)).toMatch(/does not match its declared content/)
  })

  const two = zipSync({ 'SKILL.md': text, 'b.md': text })
  test.each<[string, (view: DataView, zip: Uint8Array) => void, RegExp]>([
    [
      'is encrypted',
      (view) => view.setUint16(findRecord(view, central, 1) + 8, 1, true),
      /encrypted/,
    ],
    [
      'has a symbolic link',
      (view) => {
        const at = findRecord(view, central, 1)
        view.setUint8(at + 5, 3)
        view.setUint32(at + 38, (0xa1ff << 16) >>> 0, true)
      },
      /symbolic link/,
    ],
    [
      'has a device',
      (view) => {
        const at = findRecord(view, central, 1)
        view.setUint8(at + 5, 3)
        view.setUint32(at + 38, (0x6000 << 16) >>> 0, true)
      },
      /special file/,
    ],
    [
      'is packed in another way',
      (view) => view.setUint16(findRecord(view, central, 1) + 10, 93, true),
      /unusual way/,
    ],
    [
      'has another name in its directory',
      (view, zip) => zip.set(strToU8('c.md'), findRecord(view, central, 1) + 46),
      /does not match its entry in the directory/,
    ],
    [
      'has another size in its directory',
      (view) => view.setUint32(findRecord(view, central, 1) + 24, 3, true),
      /does not match its entry in the directory/,
    ],
    [
      'has two entries for one content',
      (view) => {
        const [one, other] = [findRecord(view, central), findRecord(view, central, 1)]
        const name = view.getUint16(one + 28, true)
        view.setUint32(other + 42, view.getUint32(one + 42, true), true)
        expect(name).toBe(8)
      },
      /does not match its entry in the directory/,
    ],
    [
      'points outside itself',
      (view) => view.setUint32(findRecord(view, central, 1) + 42, 0xfffffff, true),
      /not at the place declared in the directory/,
    ],
    [
      'has fewer entries than its directory',
      (view) => {
        view.setUint16(findRecord(view, end) + 8, 1, true)
        view.setUint16(findRecord(view, end) + 10, 1, true)
      },
      /longer than declared/,
    ],
    [
      'has more entries than its directory',
      (view) => {
        view.setUint16(findRecord(view, end) + 8, 3, true)
        view.setUint16(findRecord(view, end) + 10, 3, true)
      },
      /cut off/,
    ],
    ['is in parts', (view) => view.setUint16(findRecord(view, end) + 4, 1, true), /several parts/],
    [
      'has its directory elsewhere',
      (view) => view.setUint32(findRecord(view, end) + 16, 3, true),
      /not at the declared place/,
    ],
    [
      'has a name that is not UTF-8',
      (view, zip) => zip.set([0xff], findRecord(view, central, 1) + 46),
      /not UTF-8/,
    ],
  ])('that %s is refused', async (_what, change, message) => {
    expect(await refusal(patch(two, change))).toMatch(message)
  })

  test('with entries that share bytes is refused', async () => {
    // The second header lies inside the content of the first, which is stored.
    const inner = zipSync({ 'b.md': [text, { level: 0 }] })
    const hidden = inner.subarray(0, findRecord(new DataView(inner.slice().buffer), central))
    const outer = zipSync({ 'SKILL.md': [hidden, { level: 0 }], 'b.md': [text, { level: 0 }] })
    const zip = patch(outer, (view) => {
      const start = 30 + view.getUint16(26, true) + view.getUint16(28, true)
      view.setUint32(findRecord(view, central, 1) + 42, start, true)
    })
    expect(await refusal(zip)).toMatch(/share their content/)
  })

  test('cut off anywhere, or with any byte turned, never does more than refuse', async () => {
    for (let length = 0; length < two.length; length += 1) {
      await expect(unpackSkill(two.subarray(0, length))).rejects.toMatchObject({
        code: 'invalid_skill',
      })
    }
    for (let at = 0; at < two.length; at += 1) {
      const turned = patch(two, (_view, zip) => void (zip[at] = ~(zip[at] ?? 0)))
      await unpackSkill(turned).catch((error: unknown) =>
        expect(error).toMatchObject({ code: 'invalid_skill' }),
      )
    }
  })
})
