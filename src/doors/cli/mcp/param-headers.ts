import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import { ownValue } from '../../../core/kernel/json/json-type.ts'

interface HeaderParam {
  path: readonly string[]
  header: string
}

/**
 * Some tools require arguments in headers as well (`x-mcp-header`), which stdio does not have. The
 * listed tools are remembered, so that calls of them get their headers.
 */
export interface ParamHeaders {
  /** Looks for tools in an answer. */
  learn(message: JSONRPCMessage): void
  headersOf(message: JSONRPCMessage): Record<string, string> | undefined
}

export function createParamHeaders(): ParamHeaders {
  const known = new Map<string, HeaderParam[]>()
  return {
    learn(message) {
      const tools = 'result' in message ? message.result['tools'] : undefined
      if (!Array.isArray(tools)) return
      for (const tool of tools as { name?: unknown; inputSchema?: unknown }[]) {
        if (typeof tool.name !== 'string') continue
        const params = findParams(tool.inputSchema, [])
        if (params.length > 0) known.set(tool.name, params)
        else known.delete(tool.name)
      }
    },
    headersOf(message) {
      if (!('method' in message) || message.method !== 'tools/call') return undefined
      const { name, arguments: given } = message.params ?? {}
      const params = known.get(String(name))
      return params && toHeaders(params, given)
    },
  }
}

/** Only properties that are reached by properties alone may be mirrored. */
function findParams(schema: unknown, path: readonly string[]): HeaderParam[] {
  if (typeof schema !== 'object' || schema === null || path.length > 16) return []
  const { 'x-mcp-header': header, properties } = schema as Record<string, unknown>
  const own = typeof header === 'string' && path.length > 0 ? [{ path, header }] : []
  const below = Object.entries((properties ?? {}) as Record<string, unknown>)
  return [...own, ...below.flatMap(([key, value]) => findParams(value, [...path, key]))]
}

function toHeaders(params: readonly HeaderParam[], given: unknown): Record<string, string> {
  return Object.fromEntries(
    params.flatMap(({ path, header }) => {
      const value = path.reduce(
        (node: unknown, key) =>
          typeof node === 'object' && node !== null
            ? ownValue(node as Record<string, unknown>, key)
            : undefined,
        given,
      )
      const isPlain = ['string', 'number', 'boolean'].includes(typeof value)
      return isPlain ? [[`mcp-param-${header}`, encode(String(value))]] : []
    }),
  )
}

/** Characters that a header cannot hold are sent in marked base64. */
function encode(text: string): string {
  const isSafe = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(text)
  const looksEncoded = text.startsWith('=?base64?') && text.endsWith('?=')
  return isSafe && !looksEncoded ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`
}
