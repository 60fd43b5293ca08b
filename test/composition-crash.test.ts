import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { CallRecord } from '../src/core/kernel/call.ts'
import { answerAll, json, openFleet, readSteps } from './setup/graph-fleet.ts'
import { isLongRun, variants } from './setup/run-length.ts'
import type { ServerProcess } from './setup/server-process.ts'

/** At random points of the composition; with two nodes, of one after the other. */
const kills = isLongRun ? 20 : 2

interface Scene {
  store: 'embedded' | 'postgres'
  width: number
}

const scenes = variants<Scene>(
  [{ store: 'postgres', width: 1 }],
  [
    { store: 'embedded', width: 1 },
    { store: 'postgres', width: 2 },
  ],
)

test.each(scenes)(
  'a composition survives kill -9 on the $store store with $width nodes: nothing is lost or done twice',
  async ({ store, width }) => {
    const fleet = await openFleet(store)
    for (let index = 0; index < width; index += 1) await fleet.start()
    let node = fleet.nodes[0] as ServerProcess
    const began = await json<CallRecord>(
      await node.request('/api/v1/tools/graph.all/calls', {
        json: { input: { id: 'g' } },
        headers: { prefer: 'respond-async' },
      }),
    )
    for (let kill = 0; kill < kills; kill += 1) {
      // The moment is meant to be a random one: nothing is waited for.
      await sleep(Math.random() * 400)
      // Answers come at any time, also while a server dies.
      if (kill % 2 === 1) await answerAll(node, fleet.folder).catch(() => undefined)
      await fleet.nodes.shift()?.kill()
      await fleet.start()
      node = fleet.nodes[0] as ServerProcess
    }
    const find = async () =>
      json<CallRecord>(await node.request(`/api/v1/calls/${began.callId}`)).catch(() => undefined)
    await expect
      .poll(
        async () => {
          await answerAll(node, fleet.folder).catch(() => undefined)
          return (await find())?.settledAt
        },
        { timeout: 120_000, interval: 200 },
      )
      .toBeDefined()
    const end = await find()
    const lines = (await readFile(path.join(fleet.folder, 'effects'), 'utf8')).trim().split('\n')
    expect(lines.length).toBe(new Set(lines).size)
    const steps = await readSteps(node, began.callId)
    // Every effect has its record.
    for (const line of lines) expect(steps.has(line), line).toBe(true)
    if (end?.status === 'failed') {
      // Killed in the middle of an effect: nobody knows, so it is not made a second time.
      expect(end.error?.code).toBe('outcome_unknown')
      return
    }
    expect(end?.status).toBe('completed')
    const { n, approved, end: last } = (end?.output ?? {}) as Record<string, number>
    expect([approved, last]).toEqual([n, n])
    expect(lines).toHaveLength(53)
    expect(steps.size).toBe(55)
  },
)
