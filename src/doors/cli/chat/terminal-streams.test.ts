import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPasteFilter, Veil } from './terminal-streams.ts'

async function filtered(chunks: readonly string[]): Promise<string> {
  const terminal = new PassThrough()
  const filter = createPasteFilter(terminal)
  for (const chunk of chunks) terminal.write(chunk)
  terminal.end()
  return text(filter)
}

const pasted = (words: string) => `\u001b[200~${words}\u001b[201~`

test('pasted text is one line; typed text is unchanged', async () => {
  const given = `one\r${pasted('two\r\nthree\nfour\rfive')}\rsix\r`
  expect(await filtered([given])).toBe('one\rtwo⏎three⏎four⏎five\rsix\r')
})

test('however it is cut into pieces', async () => {
  const given = `ä\r${pasted('two\rthrée')}\u001b[A\r`
  const bytes = Buffer.from(given)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(bytes.length)), async (cuts) => {
      // The first key of a mark comes with the next: alone it is Escape.
      const opening = bytes.indexOf('\u001b')
      const whole = cuts.filter((cut) => cut <= opening || cut > opening + 2)
      const places = [0, ...whole.toSorted((a, b) => a - b), bytes.length]
      const terminal = new PassThrough()
      const filter = createPasteFilter(terminal)
      for (const [index, from] of places.entries())
        terminal.write(bytes.subarray(from, places[index + 1]))
      terminal.end()
      return (await text(filter)) === 'ä\rtwo⏎thrée\u001b[A\r'
    }),
  )
})

test('nothing is written or redrawn while nothing is asked', () => {
  const terminal = Object.assign(new PassThrough(), { isTTY: true, columns: 80 })
  const veil = new Veil(terminal)
  let resized = 0
  veil.on('resize', () => (resized += 1))
  veil.write('hidden')
  terminal.emit('resize')
  veil.isLifted = true
  veil.write('shown')
  terminal.emit('resize')
  expect([String(terminal.read()), resized, veil.columns]).toEqual(['shown', 1, 80])
})
