/** The embedded engine in a thread of its own: messages of PostgreSQL's protocol in, its replies out. */
import { parentPort } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import type { PGliteOptions } from '@electric-sql/pglite'
import type { ThreadAnswer, ThreadTask } from './pglite-database.ts'

let pglite: PGlite | undefined

parentPort?.on('message', (task: ThreadTask) => {
  doTask(task).then(answer, (error: unknown) => {
    const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
    // An error that is copied loses its name, which says whether the engine fell over.
    answer({ name, message, stack })
  })
})

async function doTask(task: ThreadTask): Promise<ThreadAnswer> {
  if (task instanceof Uint8Array) return run(task)
  if (task === 'close') await pglite?.close()
  else pglite = await PGlite.create(task as PGliteOptions)
  return 'done'
}

async function run(message: Uint8Array): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  await pglite?.execProtocolRawStream(message, {
    syncToFs: false,
    // What is handed over is the engine's own memory, which it uses again.
    onRawData: (bytes) => void parts.push(bytes.slice()),
  })
  const [only] = parts
  if (only !== undefined && parts.length === 1) return only
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

function answer(given: ThreadAnswer): void {
  parentPort?.postMessage(given, given instanceof Uint8Array ? [given.buffer as ArrayBuffer] : [])
}
