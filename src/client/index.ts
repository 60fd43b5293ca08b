/**
 * A crib elsewhere, for any runtime with `fetch`: what `import … from 'toolcrib/client'` gives.
 * Nothing of Node and no SDK: it can be bundled for browsers and edge runtimes.
 */
export { connectCrib } from './connect-crib.ts'
export type { ConnectOptions, RemoteCrib } from './connect-crib.ts'
export type { CribAddress } from './crib-client.ts'
export type { RemoteCallOptions } from './remote-call.ts'
export type { RemoteEventQuery } from './remote-events.ts'
export type { RemoteFile, RemoteTool } from './remote-tools.ts'
export { errorCodes, ToolError } from '../core/kernel/errors.ts'
export type { CallError, CallRecord, CallStatus } from '../core/kernel/call.ts'
export type { CribApprovals, CribCalls } from '../core/crib-functions.ts'
export type { ErrorCode, Issue } from '../core/kernel/errors.ts'
export type { CribEvent } from '../core/events/event.ts'
export type { Payloads as EventPayloads } from '../features/declarations.ts'
export type { JsonValue } from '../core/kernel/json.ts'
export type { TypedCallResult as CallResult } from '../core/typing/call-result.ts'
export type { CallableTool, InputOf, OutputOf, ToolName } from '../core/kernel/callable-tool.ts'
