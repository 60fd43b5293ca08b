import type { Experimental_SandboxSession } from 'ai'
import { createSessionCalls } from './session-calls.ts'
import { sessionFiles, type SessionFileParts } from './session-files.ts'
import { sessionProcesses, type SessionProcessParts } from './session-processes.ts'
import type { CribApi } from '../../features/crib-api.ts'

type SessionParts = Omit<SessionFileParts & SessionProcessParts, 'calls' | 'api'> & { api: CribApi }

const description = [
  'A Linux sandbox with bash. The working directory is /workspace, the only place that keeps files;',
  '/tmp is empty for each command. The network is closed, except for hosts that rules allow.',
  'A command may run for ten minutes, and all its processes end with it.',
].join(' ')

/** The sandbox and workspace of one session, in the shape of the AI SDK. */
export function createSandboxSession(parts: SessionParts): Experimental_SandboxSession {
  const calls = createSessionCalls(parts.api, parts.caller)
  return {
    description,
    ...sessionFiles({ ...parts, calls }),
    ...sessionProcesses({ ...parts, calls }),
  }
}
