import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createWriteBatcher } from './write-batcher.ts'

/** A database that writes nothing down but what it was sent. */
function createRecorder(
  options: { lanes?: number; fault?: (row: number) => string | undefined } = {},
) {
  const sent: { kind: string; rows: number[] }[] = []
  let underWay = 0
  let mostUnderWay = 0
  const batcher = createWriteBatcher<number, number>({
    lanes: options.lanes ?? 1,
    async send(kind, rows) {
      underWay += 1
      mostUnderWay = Math.max(mostUnderWay, underWay)
      await sleep(1)
      underWay -= 1
      const code = rows.map((row) => options.fault?.(row)).find((fault) => fault !== undefined)
      if (code !== undefined) throw Object.assign(new Error('refused'), { code })
      sent.push({ kind, rows: [...rows] })
      return rows.map((row) => row * 2)
    },
  })
  const write = (row: number, key = String(row), kind = 'a') =>
    batcher.write({ kind, key, row, bytes: 10 })
  return { batcher, write, sent, mostUnderWay: () => mostUnderWay }
}

test('writes asked for at once share a batch and each gets its own result', async () => {
  const { write, sent } = createRecorder()
  expect(await Promise.all([write(1), write(2), write(3)])).toEqual([2, 4, 6])
  expect(sent).toEqual([{ kind: 'a', rows: [1, 2, 3] }])
})

test('writes that arrive during a batch go into the next, and no batch has more than 512', async () => {
  const { write, sent } = createRecorder()
  const first = write(0)
  // The first goes out when the event loop comes round.
  await new Promise((resolve) => setImmediate(resolve))
  await Promise.all([first, ...Array.from({ length: 600 }, (_, index) => write(index + 1))])
  expect(sent.map(({ rows }) => rows.length)).toEqual([1, 512, 88])
})

test('writes with one key keep their order and never share a batch, whatever their kind', async () => {
  const { write, sent } = createRecorder({ lanes: 4 })
  await Promise.all([
    write(1, 'x', 'a'),
    write(2, 'x', 'b'),
    write(3, 'x', 'a'),
    write(4, 'y', 'a'),
  ])
  expect(sent.map(({ rows }) => rows)).toEqual([[1, 4], [2], [3]])
})

test('lanes run side by side, no more than there are', async () => {
  const { write, mostUnderWay } = createRecorder({ lanes: 3 })
  const kinds = ['a', 'b', 'c', 'd', 'e']
  await Promise.all(kinds.map((kind, index) => write(index, kind, kind)))
  expect(mostUnderWay()).toBe(3)
})

test('a row at fault fails alone', async () => {
  const { write, sent } = createRecorder({
    fault: (row) => (row === 5 || row === 9 ? '22021' : undefined),
  })
  const results = await Promise.allSettled(Array.from({ length: 12 }, (_, index) => write(index)))
  const failed = results.flatMap((result, index) => (result.status === 'rejected' ? [index] : []))
  expect(failed).toEqual([5, 9])
  expect(sent.flatMap(({ rows }) => rows).toSorted((a, b) => a - b)).toEqual([
    0, 1, 2, 3, 4, 6, 7, 8, 10, 11,
  ])
})

test('a fault of the store fails the batch once, without trying row by row', async () => {
  let tries = 0
  const { write } = createRecorder({ fault: (row) => (row === 0 && ++tries ? '53100' : undefined) })
  const results = await Promise.allSettled([write(0), write(1), write(2)])
  expect(results.map((result) => result.status === 'rejected' && result.reason.code)).toEqual([
    'record_failed',
    'record_failed',
    'record_failed',
  ])
  expect(tries).toBe(1)
})

test('a deadlock is tried again', async () => {
  let tries = 0
  const { write } = createRecorder({ fault: () => (tries++ < 2 ? '40P01' : undefined) })
  expect(await write(4)).toBe(8)
})

test('a batch stays below its weight, but a single heavy write goes through', async () => {
  const { batcher, sent } = createRecorder()
  const heavy = (row: number) =>
    batcher.write({ kind: 'a', key: String(row), row, bytes: 3_000_000 })
  await Promise.all([
    heavy(1),
    heavy(2),
    batcher.write({ kind: 'a', key: '3', row: 3, bytes: 90_000_000 }),
  ])
  expect(sent.map(({ rows }) => rows)).toEqual([[1], [2], [3]])
})

test('closing writes what waits and refuses what comes', async () => {
  const { batcher, write, sent } = createRecorder()
  const writes = Promise.all([write(1), write(2)])
  await batcher.close()
  await writes
  expect(sent).toHaveLength(1)
  await expect(write(3)).rejects.toMatchObject({ code: 'shutting_down' })
})
