import { isToolError } from '../../core/kernel/errors.ts'
import { openStores } from '../../features/open-stores.ts'
import type { StoreLocation } from '../open-store.ts'
import { settingsFor, settlementOf, startOf } from './records.ts'

// A program for tests: writes calls as fast as it can and prints what was acknowledged, until it is killed.
const [, , location = '{}', tenant = '', writers = '8'] = process.argv

async function writeCalls(): Promise<void> {
  const store = await openStores(JSON.parse(location) as StoreLocation, settingsFor('writer'))
  const work = async (index: number) => {
    for (let round = 0; ; round++) {
      const start = startOf(tenant, { input: { index, round } })
      if (round % 3 === 0) {
        await store.calls.recordWhole(start, settlementOf(start), { isNew: round % 2 === 0 })
        process.stdout.write(`settled ${start.callId}\n`)
        continue
      }
      await store.calls.open(start)
      process.stdout.write(`opened ${start.callId}\n`)
      await store.calls.settle(settlementOf(start))
      process.stdout.write(`settled ${start.callId}\n`)
    }
  }
  await Promise.all(Array.from({ length: Number(writers) }, (_, index) => work(index)))
}

await writeCalls().catch((error: unknown) => {
  process.stdout.write(`${isToolError(error) ? error.code : String(error)}\n`)
})
