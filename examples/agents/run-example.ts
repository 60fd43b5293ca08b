import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Crib } from 'toolcrib'
import { openOrders, refunded } from './orders.ts'
import { playModel } from './played-model.ts'

/** What an example is run with: a crib, and the address of the played model. */
type Work = (crib: Crib, modelUrl: string) => Promise<string>

/** Runs the example and says what happened, when its file is the program; does nothing on import. */
export async function runExample(moduleUrl: string, works: Record<string, Work>): Promise<void> {
  const [, program] = process.argv
  if (program === undefined || realpathSync(program) !== fileURLToPath(moduleUrl)) return
  const model = await playModel()
  try {
    for (const [name, work] of Object.entries(works)) await runOne(name, work, model.url)
  } finally {
    model.close()
  }
}

async function runOne(name: string, work: Work, modelUrl: string): Promise<void> {
  const crib = await openOrders()
  refunded.length = 0
  try {
    const said = await work(crib, modelUrl)
    console.log(`${name}: asked to refund order A-7`)
    for await (const { type, data } of crib.events()) {
      const tool = (data as { tool?: string }).tool
      console.log(`  ${type}${tool === undefined ? '' : ` ${tool}`}`)
    }
    console.log(`  the model said: ${said}`)
    console.log(`  refunded: ${refunded.join(', ')}`)
  } finally {
    await crib.close()
  }
}
