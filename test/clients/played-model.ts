import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { makers } from './makers.ts'

/** One call that the model is to make: of the first tool whose name ends so. */
export interface Errand {
  tool: RegExp
  input(lastResult: string): unknown
  /** Before it is made. */
  afterMs?: number
}

/** A model of three makers in one, which does its errands one after the other and then says so. */
export interface PlayedModel {
  url: string
  /** What tools it was given last, as their client names them. */
  tools: string[]
  /** What its calls came to, as it was told. */
  results: string[]
  close(): void
}

export async function playModel(errands: readonly Errand[]): Promise<PlayedModel> {
  const played = { tools: [] as string[], results: [] as string[] }
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const maker = makers.find(({ path }) => path.test(request.url ?? ''))
    const text = await readText(request)
    if (maker === undefined || text === '') return void response.end('{}')
    const { tools, results } = maker.read(JSON.parse(text))
    // Clients ask their models for titles and the like as well.
    if (tools.length > 0) {
      played.tools = tools.map(({ namespace, name }) => `${namespace ?? ''}${name}`)
      played.results = results
    }
    const errand = tools.length > 0 ? errands[played.results.length] : undefined
    if (errand?.afterMs !== undefined) await sleep(errand.afterMs)
    const tool = tools.find(({ namespace, name }) => errand?.tool.test(`${namespace ?? ''}${name}`))
    const input = errand?.input(played.results.at(-1) ?? '')
    response.setHeader('content-type', 'text/event-stream')
    response.end(maker.answer(tool && { ...tool, input }))
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    get tools() {
      return played.tools
    },
    get results() {
      return played.results
    },
    close: () => void server.close(),
  }
}
