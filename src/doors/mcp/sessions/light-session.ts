import { randomUUID } from 'node:crypto'
import { inSession, type McpRequestContext } from '../mcp-request-context.ts'

/**
 * A name for the conversation of an older client that can't be asked anything. Nothing is kept of it,
 * so any node takes it, for ever: by it a client cancels its own requests, and has listed what it found.
 */
export function newLightId(): string {
  return `light-${randomUUID()}`
}

const pattern = /^light-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function isLightId(id: string): boolean {
  return pattern.test(id)
}

export function inLightSession(requestContext: McpRequestContext, id: string): McpRequestContext {
  return { ...inSession(requestContext, id), isLight: true }
}
