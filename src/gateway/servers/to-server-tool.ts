import type { ServerTool } from '../../core/gateway/tool-pin.ts'
import type { JudgedTool } from '../tools/judge-tools.ts'

/** A tool as people see it in its server's list. */
export function toServerTool(tool: JudgedTool, server: string): ServerTool {
  const { name, localName, state, reason, hash, differences, findings } = tool
  return {
    name,
    ...(state !== 'left out' && { tool: `mcp:${server}:${localName}` }),
    state,
    ...(reason !== undefined && { reason }),
    hash,
    ...(differences !== undefined && { differences }),
    findings,
  }
}
