import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'

/** The embedded engine, which speaks PostgreSQL's protocol. One message at a time. */
export interface Database {
  /** Hands the message over: its bytes are gone afterwards. */
  send(message: Uint8Array): Promise<Buffer>
  /** Afterwards nothing more may be sent. */
  close(): Promise<void>
  /** Ends it at once, as a kill would. */
  abandon(): void
}

/** Of WebAssembly, which our types of Node know nothing of. */
type Module = object

const { WebAssembly } = globalThis as unknown as {
  WebAssembly: { compile(bytes: Uint8Array): Promise<Module> }
}

interface OpenOptions {
  dataDir: string
  startParams: string[]
}

/** What its thread is asked to do: open a database, take a message, close it. */
export type ThreadTask = (OpenOptions & { pgliteWasmModule: Module }) | Uint8Array | 'close'

/** What it answers: the engine's replies, that it is done, or what went wrong. */
export type ThreadAnswer = Uint8Array | 'done' | Pick<Error, 'name' | 'message' | 'stack'>

/**
 * Opens a database in a thread of its own, so that a long statement holds up nobody but those who
 * wait for it: the engine is WebAssembly, and beside us it would stop every request and every timer.
 */
export async function startDatabase(options: OpenOptions): Promise<Database> {
  const thread = new DatabaseThread()
  try {
    await thread.ask({ ...options, pgliteWasmModule: await readEngine() })
  } catch (error) {
    thread.end()
    throw error
  }
  return {
    async send(message) {
      const answer = await thread.ask(message)
      return answer instanceof Uint8Array
        ? Buffer.from(answer.buffer as ArrayBuffer)
        : Buffer.alloc(0)
    },
    async close() {
      await thread.ask('close')
      thread.end()
    },
    abandon: () => thread.end(),
  }
}

/** Compiled once for all threads there will be. */
let engine: Promise<Module> | undefined

function readEngine(): Promise<Module> {
  const path = fileURLToPath(import.meta.resolve('@electric-sql/pglite/pglite.wasm'))
  engine ??= readFile(path).then((bytes) => WebAssembly.compile(bytes))
  return engine
}

/** Beside us the files end in .ts in a checkout and in .js once built. */
const threadFile = new URL(
  `pglite-thread.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`,
  import.meta.url,
)

interface Asked {
  resolve(answer: Uint8Array | 'done'): void
  reject(error: Error): void
}

class DatabaseThread {
  // Flags that are meant for the program, such as `--input-type`, are none for a thread of it.
  readonly #worker = new Worker(threadFile, { execArgv: [] })
  /** In the order of their answers. */
  readonly #asked: Asked[] = []
  #hasEnded = false

  constructor() {
    this.#worker.on('message', (answer: ThreadAnswer) => this.#take(answer))
    this.#worker.on('error', (error) => this.#fail(error))
    this.#worker.on('exit', () => this.#fail(threadEnded()))
  }

  ask(task: ThreadTask): Promise<Uint8Array | 'done'> {
    return new Promise((resolve, reject) => {
      if (this.#hasEnded) {
        reject(threadEnded())
        return
      }
      // The process may end while the engine has nothing to do, and not before.
      if (this.#asked.push({ resolve, reject }) === 1) this.#worker.ref()
      const isBytes = task instanceof Uint8Array
      const given = isBytes ? ownMemory(task) : task
      this.#worker.postMessage(given, isBytes ? [(given as Uint8Array).buffer as ArrayBuffer] : [])
    })
  }

  end(): void {
    this.#hasEnded = true
    void this.#worker.terminate()
  }

  #take(answer: ThreadAnswer): void {
    const asked = this.#asked.shift()
    if (this.#asked.length === 0) this.#worker.unref()
    if (answer === 'done' || answer instanceof Uint8Array) asked?.resolve(answer)
    else asked?.reject(Object.assign(new Error(answer.message), answer))
  }

  #fail(error: Error): void {
    this.#hasEnded = true
    for (const { reject } of this.#asked.splice(0)) reject(error)
  }
}

/** Small buffers share their memory with others, who would lose it. */
function ownMemory(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)
}

/** By the name of what WebAssembly throws when the engine itself fell over. */
function threadEnded(): Error {
  return Object.assign(new Error('The embedded database ended'), { name: 'RuntimeError' })
}
