import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent, fetch } from 'undici'
import type { Crib } from '../src/app/crib.ts'
import { toTool } from '../src/core/define-tool.ts'
import type { Tool } from '../src/core/kernel/tool.ts'
import { apiSchema } from '../src/features/apis/spec.ts'
import { toApiTool } from '../src/features/apis/tools/to-api-tool.ts'
import { codeKind, type CodeSpec } from '../src/features/authoring/kinds/code/code-kind.ts'
import { httpKind } from '../src/features/authoring/kinds/http/http-kind.ts'
import type { HttpSpec } from '../src/features/authoring/kinds/http/http-spec.ts'
import { measureAuthoredList } from './authored-list.ts'
import { benchTool, sampleInput, withCrib } from './fixtures.ts'
import { type Figure, median, type Pace } from './measure.ts'

const inputSchema = { type: 'object', additionalProperties: true }
/** Sooner than most APIs. */
const answerMs = 5
const known = { find: () => undefined, names: () => [] }

/** Tools that are documents: a request beside raw undici, and programs. */
export async function benchAuthored(_databaseUrl: string, pace: Pace): Promise<Figure[]> {
  const { isBrief } = pace
  const rounds = isBrief ? 20 : 400
  const server = await serve()
  const tools = [benchTool('bench.add'), httpTool(server.url), apiTool(server.url), ...codeTools]
  const config = { tools: [], network: { addresses: ['127.0.0.0/8'] } }
  try {
    return await withCrib({ tools, config }, async (crib) => [
      ...(await measureHttp(crib, {
        tool: 'bench.get',
        what: 'HTTP tool',
        url: server.url,
        rounds,
      })),
      ...(await measureHttp(crib, {
        tool: 'api:bench:get',
        what: 'operation of an API',
        url: server.url,
        rounds,
      })),
      ...(await measureCode(crib, Math.ceil(rounds / 4))),
      ...(await measureAuthoredList(pace)),
    ])
  } finally {
    await server.close()
  }
}

function httpTool(url: string): Tool {
  const spec: HttpSpec = { kind: 'http', method: 'GET', url: `${url}/items/{{input.id}}` }
  const document = { name: 'bench.get', description: 'Gets one item.', inputSchema, spec }
  const { effect } = httpKind.derive(document, known)
  const facts = { name: document.name, description: document.description, inputSchema, effect }
  return toTool({ ...facts, source: 'authored' }, httpKind.toBehaviour(document))
}

function apiTool(server: string): Tool {
  const definition = {
    name: 'get',
    title: 'Get one item',
    description: 'Gets one item.',
    method: 'GET' as const,
    path: '/items/{id}',
    tags: [],
    inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
    outputSchema: { type: 'object', properties: { id: { type: 'integer' } } },
    parameters: [
      { field: 'id', name: 'id', in: 'path' as const, style: 'simple' as const, explode: false },
    ],
    accept: ['application/json'],
    security: [],
    findings: [],
  }
  const spec = { ...apiSchema.parse({}), server }
  return toApiTool({ api: 'bench', spec, schemes: [], definition, effect: 'read' }).tool
}

function codeTool(name: string, source: string): Tool {
  const spec: CodeSpec = { kind: 'code', source }
  const document = { name, description: 'Runs a program.', inputSchema, spec }
  return toTool(
    { name, description: document.description, inputSchema, source: 'authored', effect: 'read' },
    codeKind.toBehaviour(document),
  )
}

const codeTools = [
  codeTool('bench.program', 'return input.a + input.b'),
  codeTool(
    'bench.calls',
    `for (let n = 0; n < 100; n++) await tools.bench.add(${JSON.stringify(sampleInput)})`,
  ),
]

interface Measured {
  tool: string
  what: string
  url: string
  rounds: number
}

async function measureHttp(crib: Crib, { tool, what, url, rounds }: Measured): Promise<Figure[]> {
  const dispatcher = new Agent({ keepAliveTimeout: 30_000 })
  const measure = async (id: string) => {
    const raw = async () => {
      const response = await fetch(`${url}/items/${id}`, { dispatcher })
      JSON.parse(await response.text())
    }
    return alternate(rounds, raw, () => complete(crib, tool, { id }))
  }
  const [atOnce, ours] = await measure('at-once')
  const [bare, value] = await measure('later')
  await dispatcher.close()
  const ratio = value / bare
  const added = { name: `${what}, server answers at once`, value: ours, unit: 'ms', bare: atOnce }
  const usual = {
    name: `${what}, server answers after ${answerMs} ms`,
    value,
    unit: 'ms',
    bare,
    ratio,
    goal: '≤ 115 %',
    kept: ratio <= 1.15,
    off: ratio / 1.15,
  }
  return [usual, added]
}

async function measureCode(crib: Crib, rounds: number): Promise<Figure[]> {
  const program = () => complete(crib, 'bench.program', { a: 1, b: 2 })
  const within = () => complete(crib, 'bench.calls', {})
  const beside = async () => {
    for (let n = 0; n < 100; n += 1) await complete(crib, 'bench.add', sampleInput)
  }
  await program()
  const [alone] = await alternate(rounds, program, async () => undefined)
  const [bare, calls] = await alternate(Math.ceil(rounds / 5), beside, within)
  const more = calls - bare
  return [
    toGoal('program, warm, p50', alone, 15),
    { ...toGoal('100 reads of a program, more than the calls alone', more, 60), bare },
  ]
}

function toGoal(name: string, value: number, goal: number): Figure {
  const off = value / goal
  return { name, value, unit: 'ms', goal: `≤ ${goal}`, kept: value <= goal, off }
}

/** Medians of both, taken in turns so that what else runs slows both. */
async function alternate(
  rounds: number,
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds * 2; round += 1) {
    const startedAt = performance.now()
    await (round % 2 === 0 ? first() : second())
    times[round % 2 === 0 ? 0 : 1].push(performance.now() - startedAt)
  }
  return [median(times[0]), median(times[1])]
}

async function complete(crib: Crib, tool: string, input: object): Promise<void> {
  const { status, error } = await crib.call(tool, input)
  if (status !== 'completed') throw new Error(`${tool}: ${JSON.stringify(error)}`)
}

async function serve() {
  const body = JSON.stringify({ id: 7, name: 'An item', tags: ['a', 'b'] })
  const server = createServer(({ url = '' }, response) => {
    const answer = () => response.writeHead(200, { 'content-type': 'application/json' }).end(body)
    if (url.endsWith('later')) setTimeout(answer, answerMs)
    else answer()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
