/** One node of the background benchmark, in a process of its own: queues its share, runs what it gets. */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createCrib } from '../src/app/index.ts'
import { backgroundTool, masterKey, queueCalls } from './work-calls.ts'

const [database = '', share = '0'] = process.argv.slice(2)
const data = await mkdtemp(path.join(tmpdir(), 'toolcrib-bench-'))
const env = { TOOLCRIB_MASTER_KEY: masterKey }
const crib = await createCrib({ config: {}, data, database, env, tools: [backgroundTool()] })
process.on('message', (message) => {
  if (message === 'go') {
    void queueCalls(crib, Number(share)).then(() => process.send?.('queued'))
    return
  }
  void crib.close().then(() => process.exit(0))
})
process.send?.('ready')
