import { openCrib } from '../src/app/open-crib.ts'
import type { JsonValue } from '../src/core/kernel/json.ts'
import { ownerOf } from '../src/app/owner.ts'
import { createVersionStore } from '../src/features/versions/store/version-store.ts'
import { openTestStore } from '../src/testing/open-test-store.ts'
import { type Figure, medianMs, type Pace, timePerTurn } from './measure.ts'

const owner = ownerOf('default', 'api')

/** The list of a tenant with many tools that are documents: by a server that just started, and again. */
export async function measureAuthoredList({ isBrief }: Pace): Promise<Figure[]> {
  const count = isBrief ? 100 : 2000
  const store = await openTestStore()
  try {
    await publishAll(store, count)
    const crib = await openCrib({
      cwd: process.cwd(),
      data: '/nowhere',
      store,
      config: { tools: [], authoring: { maxTools: count } },
    })
    const list = () => crib.api.listTools(owner, { limit: 50 })
    const { cpuMicros } = await timePerTurn(1, async () => void (await list()))
    const first = cpuMicros / 1000
    const warm = await medianMs(21, list)
    await crib.close()
    const name = `list ${count} tools that are documents`
    return [
      {
        name: `${name}, first, processor time`,
        value: first,
        unit: 'ms',
        goal: '≤ 300',
        kept: first <= 300,
      },
      { name: `${name}, warm`, value: warm, unit: 'ms', goal: '≤ 2', kept: warm <= 2 },
    ]
  } finally {
    await store.close()
  }
}

/** In one transaction: publishing them one by one takes minutes. A tenth are compositions. */
async function publishAll(
  { engine }: Awaited<ReturnType<typeof openTestStore>>,
  count: number,
): Promise<void> {
  await createVersionStore(engine).change('default', owner.principal, async (draft) => {
    for (let index = 0; index < count; index += 1) {
      const document = toDocument(index)
      const { name, description, spec } = document
      const { hash, number } = await draft.keepVersion('tool', name, { body: document })
      const body = { hash, number, isEnabled: true, description, kind: spec.kind }
      await draft.put('tool', name, { body })
    }
  })
}

function toDocument(index: number) {
  const spec: Record<string, JsonValue> & { kind: string } =
    index % 10 === 9 ? toComposition(index) : toRequest(index)
  const id = { type: 'string', description: 'The id' }
  return {
    name: `bench.tool-${index}`,
    description: `Gets an item of kind ${index} by its id.`,
    inputSchema: { type: 'object', properties: { id }, required: ['id'] },
    spec,
  }
}

function toComposition(index: number) {
  const step = { id: 'get', tool: `bench.tool-${index - 1}`, input: { id: '{{input.id}}' } }
  return { kind: 'composition', steps: [step] }
}

function toRequest(index: number) {
  return { kind: 'http', method: 'GET', url: `https://api.test/${index}/{{input.id}}` }
}
