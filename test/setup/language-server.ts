import { spawn } from 'node:child_process'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/** What an editor asks about one file. Offsets are those of its text. */
export interface OpenFile {
  /** What is shown to somebody who points at this place, without the type. */
  hover(offset: number): Promise<string>
  /** The keys that are offered at this place, with what is shown beside each. */
  keys(offset: number): Promise<Map<string, string>>
}

export interface LanguageServer {
  open(file: string, text: string): OpenFile
  close(): Promise<void>
}

interface Message {
  id?: number
  method?: string
  params?: unknown
  result?: unknown
  error?: { message: string }
}

/** The compiler's own language server, on one folder. */
export async function startLanguageServer(folder: string): Promise<LanguageServer> {
  const { ask, tell, close } = startServer()
  const rootUri = pathToFileURL(`${folder}${path.sep}`).href
  const documentation = { contentFormat: ['markdown'] }
  await ask('initialize', {
    processId: process.pid,
    rootUri,
    workspaceFolders: [{ uri: rootUri, name: 'tools' }],
    capabilities: { textDocument: { hover: documentation } },
  })
  tell('initialized', {})
  return {
    close,
    open(file, text) {
      const uri = pathToFileURL(path.join(folder, file)).href
      tell('textDocument/didOpen', {
        textDocument: { uri, languageId: 'typescript', version: 1, text },
      })
      const at = (offset: number) => {
        const lines = text.slice(0, offset).split('\n')
        const position = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 }
        return { textDocument: { uri }, position }
      }
      return {
        async hover(offset) {
          const found = (await ask('textDocument/hover', at(offset))) as Hover | null
          return found?.contents.value.split('\n```\n').at(-1)?.trim() ?? ''
        },
        async keys(offset) {
          const found = (await ask('textDocument/completion', at(offset))) as Completions | null
          const fields = (found?.items ?? []).filter(({ kind }) => fieldKinds.has(kind))
          const shown = await Promise.all(
            fields.map(async (item) => {
              const whole = (await ask('completionItem/resolve', item)) as CompletionItem
              return [item.label.replace(/\?$/, ''), textOf(whole)] as const
            }),
          )
          return new Map(shown)
        },
      }
    },
  }
}

interface Hover {
  contents: { value: string }
}

interface CompletionItem {
  label: string
  kind: number
  documentation?: string | { value: string }
}

interface Completions {
  items: CompletionItem[]
}

/** Method, field and property, as the protocol numbers them. */
const fieldKinds: ReadonlySet<number> = new Set([2, 5, 10])

function textOf({ documentation = '' }: CompletionItem): string {
  return typeof documentation === 'string' ? documentation : documentation.value
}

function startServer() {
  const compiler = path.resolve('node_modules/typescript/bin/tsc')
  const server = spawn(process.execPath, [compiler, '--lsp', '--stdio'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const exited = new Promise((resolve) => server.once('exit', resolve))
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let asked = 0
  const send = (message: Message) => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  }
  readMessages(server.stdout, ({ id, method, result, error }) => {
    if (id === undefined) return
    // It asks for settings, too: there are none.
    if (method !== undefined) return send({ id, result: null })
    if (error === undefined) waiting.get(id)?.resolve(result)
    else waiting.get(id)?.reject(new Error(error.message))
  })
  return {
    tell: (method: string, params: unknown) => send({ method, params }),
    ask(method: string, params: unknown): Promise<unknown> {
      asked += 1
      const answer = Promise.withResolvers<unknown>()
      waiting.set(asked, answer)
      send({ id: asked, method, params })
      return answer.promise
    },
    async close() {
      server.kill()
      await exited
    },
  }
}

function readMessages(stream: NodeJS.ReadableStream, onMessage: (message: Message) => void): void {
  let held = Buffer.alloc(0)
  stream.on('data', (chunk: Buffer) => {
    held = Buffer.concat([held, chunk])
    for (let start = held.indexOf('\r\n\r\n'); start !== -1; start = held.indexOf('\r\n\r\n')) {
      const length = Number(/Content-Length: (\d+)/i.exec(held.toString('utf8', 0, start))?.[1])
      const end = start + 4 + length
      if (held.length < end) return
      const text = held.toString('utf8', start + 4, end)
      held = held.subarray(end)
      onMessage(JSON.parse(text) as Message)
    }
  })
}
