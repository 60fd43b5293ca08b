import { syncBuiltinESMExports } from 'node:module'
import workerThreads, { SHARE_ENV, Worker, type WorkerOptions } from 'node:worker_threads'

const variable = 'TOOLCRIB_TEST_DISK_IS_FULL'

/** In the engine's thread: every write asks first whether there is room. */
const preload = `data:text/javascript,${encodeURIComponent(`
  import { createRequire } from 'node:module'
  const fs = createRequire('/')('node:fs')
  const write = fs.writeSync
  fs.writeSync = (...given) => {
    if (process.env.${variable} !== 'yes') return write(...given)
    const error = new Error('ENOSPC: no space left on device')
    throw Object.assign(error, { code: 'ENOSPC', errno: -28 })
  }
`)}`

class ThreadOnDisk extends Worker {
  constructor(file: string | URL, options?: WorkerOptions) {
    super(file, { ...options, env: SHARE_ENV, execArgv: ['--import', preload] })
  }
}

/** For tests: a disk that can be full, for the databases that are opened while it is in use. */
export const disk = {
  use: () => replaceWorker(ThreadOnDisk),
  fill: () => void (process.env[variable] = 'yes'),
  free: () => void delete process.env[variable],
  restore() {
    this.free()
    replaceWorker(Worker)
  },
}

function replaceWorker(replacement: typeof Worker): void {
  workerThreads.Worker = replacement
  syncBuiltinESMExports()
}
