import type { JsonValue } from '../../../api/json.ts'

/** The parts of a snippet. */
export interface SnippetFacts {
  tool: string
  input: JsonValue
  /** The server's address, as the browser reaches it. */
  origin: string
  /** A key created on this page; otherwise snippets name an environment variable. */
  token?: string | undefined
}

export interface Snippet {
  id: string
  label: string
  text: string
}

/** One call, in every supported language and client. */
export function toSnippets(facts: SnippetFacts): Snippet[] {
  return [
    { id: 'curl', label: 'curl', text: toCurl(facts) },
    { id: 'cli', label: 'Command line', text: toCommand(facts) },
    { id: 'ts', label: 'TypeScript', text: toLibrary(facts) },
    { id: 'ai-sdk', label: 'AI SDK', text: toAiSdk(facts) },
    { id: 'mcp', label: 'MCP client', text: toMcpConfig(facts) },
  ]
}

function toCurl({ tool, input, origin, token }: SnippetFacts): string {
  const bearer =
    token === undefined
      ? `"Authorization: Bearer $TOOLCRIB_KEY"`
      : quote(`Authorization: Bearer ${token}`)
  return [
    `curl ${quote(`${origin}/api/v1/tools/${encodeURIComponent(tool)}/calls`)}`,
    `  -H ${bearer}`,
    `  -H 'Content-Type: application/json'`,
    `  -d ${quote(JSON.stringify({ input }))}`,
  ].join(' \\\n')
}

function toCommand({ tool, input, origin, token }: SnippetFacts): string {
  const key = token === undefined ? [] : [`export TOOLCRIB_KEY=${token}`]
  const server = token === undefined ? '' : ` --url ${quote(origin)}`
  return [...key, `toolcrib call ${tool}${server} --input ${quote(JSON.stringify(input))}`].join(
    '\n',
  )
}

function toLibrary({ tool, input }: SnippetFacts): string {
  return `import { createCrib } from 'toolcrib'

const crib = await createCrib({ config: './toolcrib.config.ts' })
const { status, output, error } = await crib.call(${JSON.stringify(tool)}, ${pretty(input)})
console.log(status, output ?? error)
await crib.close()`
}

function toAiSdk({ tool, origin, token }: SnippetFacts): string {
  const key = token === undefined ? "process.env.TOOLCRIB_KEY ?? ''" : JSON.stringify(token)
  return `import { generateText, isStepCount } from 'ai'
import { connectCrib } from 'toolcrib/ai-sdk'

const crib = connectCrib({ url: ${JSON.stringify(origin)}, key: ${key} })
const { tools, toolApproval } = await crib.toolSet({ sessionId: 'try-1', model })
await generateText({
  model,
  tools,
  toolApproval,
  stopWhen: isStepCount(15),
  prompt: ${JSON.stringify(`Use ${tool} for …`)},
})`
}

function toMcpConfig({ origin, token }: SnippetFacts): string {
  const Authorization = `Bearer ${token ?? '${TOOLCRIB_KEY}'}`
  const toolcrib = { type: 'http', url: `${origin}/mcp`, headers: { Authorization } }
  return pretty({ mcpServers: { toolcrib } })
}

function pretty(value: JsonValue): string {
  return JSON.stringify(value, null, 2)
}

/** Quotes text for a POSIX shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
