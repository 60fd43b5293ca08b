import type { ArtifactPage } from '../../core/kernel/artifact.ts'
import type { CallRecord } from '../../core/kernel/call.ts'
import type { ResourceContents } from '../../core/kernel/content.ts'
import type { ApiOf } from '../../core/operations/operation.ts'
import type { callOperations } from './operations.ts'
import { isToolError } from '../../core/kernel/errors.ts'
import { isSettled } from '../../core/call-state.ts'
import { wholeCharacters } from '../../core/kernel/text/utf8.ts'
import type { LibrarySource } from '../../core/library/library-api.ts'
import type { CallChanges } from './resource-watch.ts'

type CallReads = Pick<ApiOf<typeof callOperations>, 'findCall' | 'readArtifact'>

const address = /^crib:\/\/calls\/(call_[0-9a-f]{32})(\/artifact(?:\?offset=(\d{1,12}))?)?$/

/** The size of one page of an artifact; each page names the offset of the next. */
const pageBytes = 262_144

/** Calls, and output that was too long, as resources. They are not listed: results of calls link to them. */
export function createCallResources(calls: CallReads, { watch }: CallChanges): LibrarySource {
  return {
    async watchResource(caller, { uri, server }, listener) {
      const [, callId] = address.exec(uri) ?? []
      if (callId === undefined || server !== undefined) return undefined
      // Changes are held back until the caller's access to the call has been checked.
      const state = { maySee: false, isMissed: false }
      const stop = await watch(caller.tenant, callId, () => {
        if (state.maySee) listener()
        else state.isMissed = true
      })
      try {
        const { status } = await calls.findCall(caller, { id: callId })
        state.maySee = true
        // It may have ended before the client started to watch it.
        if (state.isMissed || isSettled(status)) listener()
        return stop
      } catch (error) {
        stop()
        return noneIfMissing(error)
      }
    },
    async listTemplates(_caller, server) {
      return server === undefined ? templates : []
    },
    async readResource(caller, { uri, server }) {
      const [, callId, artifact, offset] = address.exec(uri) ?? []
      if (callId === undefined || server !== undefined) return undefined
      try {
        if (artifact === undefined)
          return [toContents(await calls.findCall(caller, { id: callId }), uri)]
        const range = { id: callId, offset: Number(offset ?? 0), limit: pageBytes }
        return [toPage(await calls.readArtifact(caller, range), { uri, callId })]
      } catch (error) {
        return noneIfMissing(error)
      }
    },
    async complete(_caller, { target }) {
      const isOurs = templates.some(({ uriTemplate }) => {
        return target.type === 'resource' && target.uriTemplate === uriTemplate
      })
      return isOurs ? { values: [] } : undefined
    },
  }
}

function noneIfMissing(error: unknown): undefined {
  if (isToolError(error) && error.code === 'not_found') return undefined
  throw error
}

const templates = [
  {
    uriTemplate: 'crib://calls/{callId}',
    name: 'call',
    title: 'A call',
    description: 'The status of one of your calls, with its result once there is one',
    mimeType: 'application/json',
  },
  {
    uriTemplate: 'crib://calls/{callId}/artifact',
    name: 'artifact',
    title: 'The whole output of a call',
    description:
      'Output that was too long for the result, in pages: add ?offset= for the next page',
  },
]

function toContents(call: CallRecord, uri: string): ResourceContents {
  const { callId, tool, status, output, error, artifact, warnings, waitingFor, approvalId } = call
  const { requestedAt, settledAt } = call
  const shown = { callId, tool, status, waitingFor, approvalId, requestedAt, settledAt }
  const text = JSON.stringify({ ...shown, output, error, artifact, warnings })
  return { uri, mimeType: 'application/json', text }
}

/** Text is cut between characters. */
function toPage(
  { chunk, offset, bytes, mediaType }: ArtifactPage,
  { uri, callId }: { uri: string; callId: string },
): ResourceContents {
  const isText = /^text\/|[/+]json\b|[/+]xml\b/.test(mediaType)
  const isLast = offset + chunk.length >= bytes
  const length = isText && !isLast ? wholeCharacters(chunk) : chunk.length
  const shown = chunk.subarray(0, length)
  const next = offset + length
  const meta = {
    'toolcrib/bytes': bytes,
    ...(!isLast && { 'toolcrib/next': `crib://calls/${callId}/artifact?offset=${next}` }),
  }
  const about = { uri, mimeType: mediaType, _meta: meta }
  return isText
    ? { ...about, text: new TextDecoder().decode(shown) }
    : { ...about, blob: Buffer.from(shown).toString('base64') }
}
