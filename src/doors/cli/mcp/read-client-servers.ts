import { readFile } from 'node:fs/promises'
import { ToolError } from '../../../core/kernel/errors.ts'

/** An MCP server as the configuration of a client has it, in our words. */
export interface ClientServer {
  name: string
  spec: {
    command?: string
    args?: readonly string[]
    env?: Readonly<Record<string, string>>
    cwd?: string
    url?: string
    headers?: Readonly<Record<string, string>>
  }
}

interface Given {
  command?: unknown
  args?: unknown
  env?: unknown
  cwd?: unknown
  url?: unknown
  httpUrl?: unknown
  serverUrl?: unknown
  headers?: unknown
}

/**
 * The servers in a client's file: `mcpServers` of Claude, Cursor, Windsurf and Gemini, `servers` of
 * VS Code. Claude Code keeps those of each project apart, in `projects`; these are left alone.
 */
export async function readClientServers(file: string): Promise<ClientServer[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ToolError('invalid_request', `${file} can't be read (${error.code ?? 'unknown'}).`, {
      cause: error,
    })
  })
  const found = toRecord(parse(file, text))
  const servers = toRecord(
    found['mcpServers'] ?? toRecord(found['mcp'])['servers'] ?? found['servers'],
  )
  const names = Object.keys(servers)
  if (names.length > 0) {
    return names.map((name) => ({ name: toName(name), spec: toSpec(toRecord(servers[name])) }))
  }
  throw new ToolError('invalid_request', `${file} names no MCP servers.`, {
    fix: 'It must be a JSON file with mcpServers (Claude, Cursor) or servers (VS Code).',
  })
}

function toSpec(given: Given): ClientServer['spec'] {
  const url = [given.url, given.httpUrl, given.serverUrl].find((value) => typeof value === 'string')
  const { command, cwd } = given
  if (typeof command === 'string') {
    const args = Array.isArray(given.args) ? given.args.map(String) : []
    const env = toValues(given.env)
    return { command, args, env, ...(typeof cwd === 'string' && { cwd }) }
  }
  return { ...(url !== undefined && { url }), headers: toValues(given.headers) }
}

/** A value that is a variable of the environment stays one: `${NAME}`, `${env:NAME}`, `$NAME`. */
function toValues(given: unknown): Record<string, string> {
  const entries = Object.entries(toRecord(given)).map(([key, value]) => {
    const text = String(value)
    const name = /^\$(?:\{(?:env:)?([A-Z_][A-Z0-9_]*)\}|([A-Z_][A-Z0-9_]*))$/i.exec(text)
    return [key, name === null ? text : `env:${name[1] ?? name[2]}`]
  })
  return Object.fromEntries(entries) as Record<string, string>
}

function toName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, 63)
}

function parse(file: string, text: string): unknown {
  try {
    // VS Code allows comments of a line's own.
    return JSON.parse(text.replaceAll(/^\s*\/\/.*$/gm, ''))
  } catch (error) {
    throw new ToolError('invalid_request', `${file} is not JSON: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

function toRecord(value: unknown): Record<string, unknown> {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isRecord ? (value as Record<string, unknown>) : {}
}
