import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Crib, createCrib, defineTool, type Tool, z } from '../src/app/index.ts'
import { ownerOf } from '../src/app/owner.ts'
import { createTempDatabase } from '../src/store/contract/temp-store.ts'

const owner = ownerOf()
let undone = 0
const add = defineTool({
  name: 'note.add',
  description: 'Adds a note.',
  effect: 'write',
  inputSchema: z.object({}),
  execute: () => null,
  undo: () => ({ undone: (undone += 1) }),
})

async function openNodes(...toolsOf: Tool[][]): Promise<Crib[]> {
  const database = await createTempDatabase()
  const folder = await mkdtemp(path.join(tmpdir(), 'toolcrib-undo-'))
  const env = { TOOLCRIB_MASTER_KEY: `k1:${Buffer.alloc(32, 3).toString('base64')}` }
  const cribs: Crib[] = []
  onTestFinished(async () => {
    for (const crib of cribs) await crib.close()
    await database.drop()
    await rm(folder, { recursive: true })
  })
  for (const [index, tools] of toolsOf.entries()) {
    const data = path.join(folder, String(index))
    cribs.push(
      await createCrib({ data, database: database.url, config: { tools: [] }, tools, env }),
    )
  }
  return cribs
}

test('of two nodes that undo a call at once, one does; without the tool, none can', async () => {
  const [first, second, bare] = (await openNodes([add], [add], [])) as [Crib, Crib, Crib]
  for (let round = 0; round < 5; round += 1) {
    undone = 0
    const { callId: id = '' } = await first.call('note.add')
    const gone = bare.api.undoCall(owner, { id })
    await expect(gone).rejects.toMatchObject({ code: 'not_undoable' })
    const asked = await Promise.allSettled(
      [first, second].flatMap(({ api }) => [
        api.undoCall(owner, { id }),
        api.undoCall(owner, { id }),
      ]),
    )
    const ids = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value.callId] : []))
    expect([undone, new Set(ids).size]).toEqual([1, 1])
  }
})
