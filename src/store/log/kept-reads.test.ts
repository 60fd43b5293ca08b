import { afterEach, expect, test, vi } from 'vitest'
import { keepReads } from './kept-reads.ts'

afterEach(() => vi.useRealTimers())

/** A table of one column that counts how often it is looked at. */
function createTable(kind: 'pglite' | 'postgres') {
  const rows = new Map<string, string>()
  const look = vi.fn<(tenant: string, session: string) => Promise<string | undefined>>(
    (tenant, session) => Promise.resolve(rows.get(`${tenant}/${session}`)),
  )
  const write = (text: string) => () => Promise.resolve(rows.set('acme/s', text))
  return { look, write, ...keepReads({ kind }, look) }
}

test('embedded, a session is looked at once until it changes, or a minute has passed', async () => {
  vi.useFakeTimers()
  const { read, change, look, write } = createTable('pglite')
  await Promise.all([read('acme', 's'), read('acme', 's')])
  await read('acme', 's')
  expect(look).toHaveBeenCalledTimes(1)
  await change('acme', 's', write('one'))
  expect(await read('acme', 's')).toBe('one')
  expect(look).toHaveBeenCalledTimes(2)
  vi.advanceTimersByTime(60_001)
  await read('acme', 's')
  expect(look).toHaveBeenCalledTimes(3)
})

test('a look that began before a change is not kept after it', async () => {
  const { read, change, look, write } = createTable('pglite')
  const slow = Promise.withResolvers<string>()
  look.mockReturnValueOnce(slow.promise)
  const early = read('acme', 's')
  await change('acme', 's', write('new'))
  slow.resolve('old')
  expect(await early).toBe('old')
  expect(await read('acme', 's')).toBe('new')
})

test('failed reads and failed changes are not cached', async () => {
  const { read, change, look, write } = createTable('pglite')
  look.mockRejectedValueOnce(new Error('no answer'))
  await expect(read('acme', 's')).rejects.toThrow('no answer')
  expect(await read('acme', 's')).toBeUndefined()
  const failing = change('acme', 's', async () => {
    await write('done all the same')()
    throw new Error('connection lost')
  })
  await expect(failing).rejects.toThrow('connection lost')
  expect(await read('acme', 's')).toBe('done all the same')
})

test('tenants and sessions are kept apart', async () => {
  const { read, change, write } = createTable('pglite')
  await change('acme', 's', write('one'))
  expect(await read('acme', 's')).toBe('one')
  expect(await read('acme', 't')).toBeUndefined()
  expect(await read('other', 's')).toBeUndefined()
})

test('where other nodes write too nothing is kept', async () => {
  const { read, look } = createTable('postgres')
  await read('acme', 's')
  await read('acme', 's')
  expect(look).toHaveBeenCalledTimes(2)
})
