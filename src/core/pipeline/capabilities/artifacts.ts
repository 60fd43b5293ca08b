import type { ArtifactStore } from '../../artifact-store.ts'
import { ToolError } from '../../kernel/errors.ts'
import type { Capability, CapabilityCall } from './capability.ts'

/** Files of one call. More belong into an archive. */
const mostFiles = 50
const mediaTypePattern = /^[\w.+-]{1,100}\/[\w.+-]{1,100}(?:; ?[\w-]{1,50}=[\w.-]{1,100})*$/

/** How much each running call has saved. A call may read `ctx.artifacts` many times. */
type Saved = WeakMap<CapabilityCall['conversation'], { files: number; bytes: number }>

/**
 * `ctx.artifacts`: files beside the output. They belong to the call: its readers read them through
 * a reference in its output, and they are deleted with it.
 */
export function artifactsCapability(
  store: Pick<ArtifactStore, 'put'>,
  maxBytes: number,
): Capability<'artifacts'> {
  const saved: Saved = new WeakMap()
  return (call) => {
    const { caller, callId, conversation } = call
    const total = saved.get(conversation) ?? { files: 0, bytes: 0 }
    saved.set(conversation, total)
    return {
      async save({ name, mediaType, bytes }) {
        if (!(bytes instanceof Uint8Array))
          throw invalid(`The bytes of ${name} are not a Uint8Array`)
        if (!mediaTypePattern.test(mediaType)) throw invalid(`${mediaType} is not a media type`)
        call.signal().throwIfAborted()
        // Counted before they are written: saves at the same time must not exceed the limit together.
        total.files += 1
        total.bytes += bytes.byteLength
        if (total.files > mostFiles || total.bytes > maxBytes) throw tooMuch(maxBytes)
        return store.put(caller.tenant, callId, { bytes, mediaType })
      },
    }
  }
}

function invalid(message: string): ToolError {
  return new ToolError('tool_failed', message)
}

function tooMuch(maxBytes: number): ToolError {
  return new ToolError(
    'quota_exceeded',
    `A call can keep at most ${mostFiles} files with ${maxBytes} bytes together`,
    { fix: 'Keep fewer or smaller files, or raise limits.artifactBytes in the configuration.' },
  )
}
