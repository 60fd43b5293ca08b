import { toHash53 } from '../../core/kernel/names.ts'
import type { OfferedTool } from '../../core/offer/tool-offer.ts'
import { cacheByIdentity } from '../../core/kernel/identity-cache.ts'

/** Changes with any part of the tool that a model sees or that determines its behaviour. */
export function toolVersion(tool: OfferedTool): string {
  return cachedVersion(tool).version
}

const cachedVersion = cacheByIdentity((tool: OfferedTool) => {
  const { name, description, effect, inputSchema } = tool
  const seen = JSON.stringify([name, description, effect, inputSchema])
  return { version: toHash53(seen, 0).toString(36).padStart(11, '0') }
})
