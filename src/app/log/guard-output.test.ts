import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { createKnownSecrets } from '../../core/secrets/known-secrets.ts'
import { guardOutput } from './guard-output.ts'

const secret = 'sk_live_42424242'

function openGuarded() {
  let printed = ''
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string | Uint8Array, _encoding, done) {
      printed += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
      done()
    },
  }) as Writable & Pick<NodeJS.WriteStream, 'write'>
  const known = createKnownSecrets()
  known.note({ key: secret })
  const end = guardOutput(known.redactStream, [stream])
  return { stream, known, end, printed: () => printed }
}

test.each([
  ['two halves', [secret.slice(0, 8), secret.slice(8)]],
  ['single characters', [...secret]],
  ['bytes', [Buffer.from(secret.slice(0, 5)), Buffer.from(secret.slice(5))]],
])('a secret that is printed as %s is not shown', (_what, pieces) => {
  const { stream, printed } = openGuarded()
  stream.write('key: ')
  for (const piece of pieces) stream.write(piece)
  stream.write('\n')
  expect(printed()).toBe('key: [redacted:key]\n')
})

test('a line is shown with its end, whatever words it ends with', () => {
  const { stream, printed } = openGuarded()
  stream.write('ask for sk_live\n')
  expect(printed()).toBe('ask for sk_live\n')
  stream.write('is it s')
  expect(printed()).toBe('ask for sk_live\nis it ')
  stream.write('o?')
  expect(printed()).toBe('ask for sk_live\nis it so?')
})

test('a short word without a line end is shown after a while, the beginning of a secret is not', async () => {
  const { stream, printed, end } = openGuarded()
  stream.write('yes or s')
  await expect.poll(printed).toBe('yes or s')
  stream.write(`\n${secret.slice(0, 10)}`)
  end()
  expect(printed()).toBe('yes or s\n')
  stream.write('after')
  expect(printed()).toBe('yes or s\nafter')
})

test('a secret that becomes known between two pieces of another changes nothing for that one', () => {
  const { stream, known, printed } = openGuarded()
  stream.write(secret.slice(0, 8))
  known.note({ other: 'another-value' })
  stream.write(`${secret.slice(8)} and another-`)
  stream.write('value\n')
  expect(printed()).toBe('[redacted:key] and [redacted:other]\n')
})

test('bytes and encodings that hold no secret are passed on as they are, and callbacks are called', async () => {
  const { stream, printed } = openGuarded()
  stream.write('6869', 'hex')
  await new Promise<void>((resolve) => stream.write(Buffer.from(' there s'), () => resolve()))
  stream.write(Buffer.from('o\n'))
  expect(printed()).toBe('hi there so\n')
})
