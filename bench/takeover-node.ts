/** A node whose tool never ends, or ends at once; says when the tool began. Killed by `takeover.ts`. */
import { createCrib, defineTool, z } from '../src/app/index.ts'
import { masterKey } from './work-calls.ts'

const [data = '', database, role] = process.argv.slice(2)
const tool = defineTool({
  name: 'bench.long',
  description: 'Takes for ever on the node that is to die, no time on the others.',
  effect: 'read',
  execution: 'background',
  inputSchema: z.object({}),
  execute: () => {
    process.send?.('began')
    return role === 'victim' ? new Promise(() => undefined) : 'done'
  },
})
const crib = await createCrib({
  config: {},
  data,
  database: database === '' ? undefined : database,
  env: { TOOLCRIB_MASTER_KEY: masterKey },
  tools: [tool],
})
process.on('message', (message) => {
  if (message === 'call') void crib.call('bench.long', {})
  else void crib.close().then(() => process.exit(0))
})
process.send?.('ready')
