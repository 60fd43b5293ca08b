import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contentOutput } from '../../kernel/content.ts'
import type { JsonValue } from '../../kernel/tool.ts'
import { boundOutput, minOutputBytes } from './bound-output.ts'

const jsonBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
const anyLimit = fc.integer({ min: minOutputBytes, max: 2000 })
/** Every length of character in UTF-8, every kind of escape in JSON. */
const anyText = fc.string({
  unit: fc.constantFrom('a', '"', '\\', '\n', '\u0001', 'é', '€', '😀', '\u2028'),
  maxLength: 1500,
  size: 'max',
})

test('an output within the limit is returned unchanged', () => {
  const value = { a: [1, 'two', null] }
  expect(boundOutput(value, 1000)).toEqual({ output: value })
  expect(boundOutput(value, 1000).output).toBe(value)
  expect(boundOutput('short', 1000)).toEqual({ output: 'short' })
})

test('a long text stays a text whose last line gives the size of the hidden part', () => {
  const text = 'x'.repeat(10_000)
  const { output, full } = boundOutput(text, 300)
  expect(output).toBe(`${'x'.repeat(250)}\n… 9750 more bytes hidden, read the artifact`)
  expect(full).toEqual({ text, mediaType: 'text/plain; charset=utf-8', bytes: 10_000 })
})

test('another value becomes a preview with its figures, and the artifact holds all of it', () => {
  const value = Array.from({ length: 1000 }, (_, index) => index)
  const text = JSON.stringify(value)
  const { output, full } = boundOutput(value, 256)
  const { preview, ...figures } = output as { preview: string }
  expect(text.startsWith(preview)).toBe(true)
  expect(figures).toEqual({
    truncated: true,
    shownBytes: preview.length,
    totalBytes: text.length,
    hiddenBytes: text.length - preview.length,
  })
  expect(full).toEqual({ text, mediaType: 'application/json', bytes: text.length })
})

test('a limit too small for the notice is raised', () => {
  expect(jsonBytes(boundOutput('x'.repeat(1000), 1).output)).toBeLessThanOrEqual(minOutputBytes)
})

test('a text is never longer than its limit, and no character is split', () => {
  fc.assert(
    fc.property(anyText, anyLimit, (text, limit) => {
      const { output, full } = boundOutput(text, limit)
      expect(jsonBytes(output)).toBeLessThanOrEqual(limit)
      expect(full === undefined).toBe(jsonBytes(text) <= limit)
      if (full === undefined) {
        expect(output).toBe(text)
        return
      }
      const [, shown = '', hidden] =
        /^(.*)\n… (\d+) more bytes hidden, read the artifact$/su.exec(output as string) ?? []
      expect(text.startsWith(shown) && shown.isWellFormed()).toBe(true)
      expect(Buffer.byteLength(shown) + Number(hidden)).toBe(Buffer.byteLength(text))
      expect(full).toEqual({ text, mediaType: expect.any(String), bytes: Buffer.byteLength(text) })
    }),
  )
})

test('no other value is longer than its limit either, and the figures add up', () => {
  const anyValue = fc.array(fc.record({ id: fc.nat(), text: anyText }), { maxLength: 5 })
  fc.assert(
    fc.property(anyValue, anyLimit, (value, limit) => {
      const { output, full } = boundOutput(value, limit)
      expect(jsonBytes(output)).toBeLessThanOrEqual(limit)
      expect(full === undefined).toBe(jsonBytes(value) <= limit)
      if (full === undefined) {
        expect(output).toBe(value)
        return
      }
      const cut = output as {
        preview: string
        shownBytes: number
        totalBytes: number
        hiddenBytes: number
      }
      expect(full.text.startsWith(cut.preview) && cut.preview.isWellFormed()).toBe(true)
      expect([cut.shownBytes, cut.totalBytes, cut.hiddenBytes]).toEqual([
        Buffer.byteLength(cut.preview),
        jsonBytes(value),
        jsonBytes(value) - Buffer.byteLength(cut.preview),
      ])
      expect(JSON.parse(full.text)).toEqual(value)
    }),
  )
})

test('as much is shown as fits: one more character would be too long', () => {
  const { output } = boundOutput('€'.repeat(1000), 400)
  expect(jsonBytes(output)).toBeGreaterThan(400 - 5)
})

const rich = (...parts: Parameters<typeof contentOutput>) =>
  contentOutput(...parts) as unknown as JsonValue
const picture = {
  type: 'image' as const,
  data: '',
  mimeType: 'image/png',
  $artifact: { id: 'art_1', bytes: 90_000, mediaType: 'image/png' },
}

test('rich output stays rich: texts are cut, images stay, the last text gives the size of the hidden part', () => {
  const text = 'x'.repeat(10_000)
  const whole = rich([{ type: 'text', text }, picture, { type: 'text', text: 'after' }], { n: 1 })
  const { output, full } = boundOutput(whole, 1024)
  expect(jsonBytes(output)).toBeGreaterThan(1000)
  expect(jsonBytes(output)).toBeLessThanOrEqual(1024)
  expect(output).toEqual({
    $content: [
      { type: 'text', text: expect.stringMatching(/^x{500,}$/) as unknown },
      picture,
      { type: 'text', text: expect.stringMatching(/^… 9\d{3} more bytes hidden, read/) as unknown },
    ],
    $structured: { n: 1 },
  })
  expect(JSON.parse(full?.text ?? '')).toEqual(whole)
})

test('structured output that does not fit is left out, never cut', () => {
  const whole = rich([{ type: 'text', text: 'a summary' }], { rows: Array(500).fill('row') })
  const { output, full } = boundOutput(whole, 1024)
  expect(output).toEqual({
    $content: [
      { type: 'text', text: 'a summary' },
      { type: 'text', text: expect.stringContaining('more bytes hidden') as unknown },
    ],
  })
  expect(JSON.parse(full?.text ?? '')).toEqual(whole)
})

test('rich output never exceeds its limit, whatever its blocks are', () => {
  const anyBlock = fc.oneof(
    fc.record({ type: fc.constant('text'), text: anyText }),
    fc.record({
      type: fc.constant('resource'),
      resource: fc.record({ uri: anyText, text: anyText }),
    }),
    fc.constant(picture),
    fc.constantFrom(
      { type: 'text' },
      { type: 'resource' },
      { type: 'image', data: 'x'.repeat(700) },
    ),
  )
  const anyBlocks = fc.array(anyBlock, { maxLength: 8 }).map((blocks) => blocks as never)
  const anyStructure = fc.option(fc.dictionary(fc.string(), anyText), { nil: undefined })
  fc.assert(
    fc.property(anyBlocks, anyStructure, anyLimit, (blocks, structured, limit) => {
      const { output, full } = boundOutput(rich(blocks, structured), limit)
      expect(jsonBytes(output)).toBeLessThanOrEqual(limit)
      expect(full === undefined).toBe(jsonBytes(rich(blocks, structured)) <= limit)
    }),
  )
})
