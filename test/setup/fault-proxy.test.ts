import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFaultProxy, type FaultProxy } from './fault-proxy.ts'

let echo: Server
let proxy: FaultProxy
const opened = new Set<Socket>()

beforeEach(async () => {
  echo = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {})
    socket.pipe(socket)
  })
  echo.listen(0, '127.0.0.1')
  await once(echo, 'listening')
  const { port } = echo.address() as AddressInfo
  proxy = await createFaultProxy({ target: { host: '127.0.0.1', port } })
})
afterEach(async () => {
  for (const socket of opened) socket.destroy()
  opened.clear()
  await proxy.close()
  await new Promise((resolve) => echo.close(resolve))
})

/** A client with everything it heard so far, and the error it ended with. */
async function dial() {
  const socket = connect({ host: '127.0.0.1', port: proxy.port })
  opened.add(socket)
  const heard = { text: '', error: undefined as string | undefined, isEnded: false }
  socket.on('data', (chunk: Buffer) => (heard.text += chunk.toString()))
  socket.on('error', (error: NodeJS.ErrnoException) => (heard.error = error.code))
  socket.on('end', () => (heard.isEnded = true))
  // A reset may come before the connection counts as made.
  await once(socket, 'connect').catch(() => {})
  return { socket, heard }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('bytes go through in both directions, and a clean end stays one', async () => {
  const { socket, heard } = await dial()
  const long = 'x'.repeat(1_000_000)
  socket.end(long)
  await expect.poll(() => heard.isEnded).toBe(true)
  expect(heard).toEqual({ text: long, error: undefined, isEnded: true })
})

test('a cut resets what is open and what comes, until it is restored', async () => {
  const before = await dial()
  before.socket.write('a')
  await expect.poll(() => before.heard.text).toBe('a')
  proxy.cut()
  await expect.poll(() => before.heard.error).toBe('ECONNRESET')
  const during = await dial()
  await expect.poll(() => during.heard.error).toBe('ECONNRESET')
  proxy.restore()
  const after = await dial()
  after.socket.write('b')
  await expect.poll(() => after.heard).toEqual({ text: 'b', error: undefined, isEnded: false })
})

test('frozen bytes arrive after the thaw, those of a connection made meanwhile too', async () => {
  const { socket, heard } = await dial()
  socket.write('a')
  await expect.poll(() => heard.text).toBe('a')
  proxy.freeze()
  proxy.freeze()
  socket.write('b')
  const late = await dial()
  late.socket.write('c')
  await pause(150)
  expect([heard.text, late.heard.text]).toEqual(['a', ''])
  proxy.thaw()
  await expect.poll(() => [heard.text, late.heard.text]).toEqual(['ab', 'c'])
})

test('a reset of all spares the connections that follow', async () => {
  const { heard } = await dial()
  proxy.resetAll()
  await expect.poll(() => heard.error).toBe('ECONNRESET')
  const next = await dial()
  next.socket.write('a')
  await expect.poll(() => next.heard.text).toBe('a')
})
