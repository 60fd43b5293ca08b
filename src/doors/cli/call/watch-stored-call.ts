import type { CallRecord } from '../../../core/kernel/call.ts'
import type { Command } from '../command.ts'
import { readTool } from '../client/read-tool.ts'
import { attendCall } from './attend-call.ts'
import { exitCodeOf, printArtifact, showResult } from './show-result.ts'
import { watchCall } from './watch-call.ts'

/** `call --watch <callId>`: follows a call that somebody else may have made, to its end. */
export function watchStoredCall(callId: string): Command['run'] {
  return async (context) => {
    const { connect, options, screen } = context
    const { client, kind } = await connect()
    const attended = await attendCall(
      { ...context, isOnlyWatched: true },
      client,
      async (watcher) => {
        watcher.onCall(callId)
        // Without a server nobody runs it, so it might never end.
        if (kind === 'local') return client.read<CallRecord>(`/calls/${encodeURIComponent(callId)}`)
        return watchCall(client, callId, watcher)
      },
    )
    if ('exitCode' in attended) return attended.exitCode
    const record = attended.result as CallRecord
    if (options.flag('full') && record.artifact !== undefined) {
      await printArtifact(client, { callId, artifact: record.artifact }, context)
    } else if (screen.isJson) screen.json(record)
    else {
      // The tool may have been removed since: then its output is shown without sections.
      const tool = await readTool(client, record.tool, undefined).catch(() => undefined)
      showResult(screen, record, tool?.sections ?? [])
    }
    return exitCodeOf(record)
  }
}
