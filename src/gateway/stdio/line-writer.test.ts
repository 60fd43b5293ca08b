import { PassThrough } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createLineWriter } from './line-writer.ts'

function open() {
  const stream = new PassThrough()
  const writes: string[] = []
  stream.on('data', (chunk: Buffer) => writes.push(chunk.toString()))
  return { stream, writes, writer: createLineWriter(stream) }
}

test('lines of one turn of the event loop are one write', async () => {
  const { writer, writes } = open()
  writer.write('a')
  writer.write('b')
  const waited = writer.length
  await turn()
  writer.write('c')
  await turn()
  expect({ writes, waited, left: writer.length }).toEqual({
    writes: ['a\nb\n', 'c\n'],
    waited: 4,
    left: 0,
  })
})

test('waiting lines can be flushed before the end, and are not written twice', async () => {
  const { stream, writer, writes } = open()
  writer.write('last words')
  writer.flush()
  stream.end()
  await turn()
  expect(writes).toEqual(['last words\n'])
})

test('lines for a stream that has ended are dropped', async () => {
  const { stream, writer, writes } = open()
  stream.end()
  writer.write('too late')
  await turn()
  expect({ writes, length: writer.length }).toEqual({ writes: [], length: 0 })
})
