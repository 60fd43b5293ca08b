import fc from 'fast-check'
import { expect, test } from 'vitest'
import { archiveEnd, readTar, toTarHead, toTarPadding } from './tar-entries.ts'

const name = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 300 })
  .filter((text) => !/[\0/]/.test(text) && text.isWellFormed())
const file = fc.record({
  name,
  content: fc.uint8Array({ maxLength: 2000 }),
  mode: fc.integer({ min: 0, max: 0o777 }),
  modifiedMs: fc.double({ min: 0, max: 4e12, noNaN: true }).map((ms) => ms + 0),
  target: fc.option(name, { nil: undefined }),
})

async function* cut(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

test('entries with any name, link, time and size come back as they were', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(file, { maxLength: 5 }), fc.integer({ min: 1, max: 3000 }), check),
    { numRuns: 60 },
  )
  type File = typeof file extends fc.Arbitrary<infer T> ? T : never
  async function check(files: File[], size: number) {
    const archive = Buffer.concat([
      ...files.flatMap(({ content, ...head }) => [
        toTarHead({ ...head, bytes: content.length }),
        content,
        toTarPadding(content.length),
      ]),
      archiveEnd,
    ])
    const found = []
    for await (const { content, bytes, ...head } of readTar(cut(archive, size))) {
      const parts: Uint8Array[] = []
      for await (const part of content) parts.push(Buffer.from(part))
      const whole = Buffer.concat(parts)
      expect(whole.length).toBe(bytes)
      found.push({ ...head, content: new Uint8Array(whole) })
    }
    expect(found).toEqual(files)
  }
})

test('an archive that is cut off, and a file that is not an archive, are damaged', async () => {
  const content = Buffer.alloc(600, 'x')
  const archive = Buffer.concat([toTarHead({ name: 'ä', bytes: 600 }), content])
  const read = async (bytes: Uint8Array) => {
    for await (const { content: pieces } of readTar(cut(bytes, 100))) {
      for await (const _ of pieces);
    }
  }
  for (const bytes of [
    archive,
    archive.subarray(0, 700),
    Buffer.alloc(2000, 'no tar'),
    Buffer.alloc(0),
  ]) {
    await expect(read(bytes)).rejects.toMatchObject({ code: 'data_damaged' })
  }
})
