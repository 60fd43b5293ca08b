import type { CallContext } from '../../core/kernel/call.ts'
import type { ClientAbility } from '../../core/kernel/context/caller-client.ts'
import type { Issue } from '../../core/kernel/errors.ts'

/** The parts of a call's context that are values. */
export type PlainContext = Pick<
  CallContext,
  | 'tenant'
  | 'agent'
  | 'principal'
  | 'sessionId'
  | 'runtime'
  | 'callId'
  | 'secrets'
  | 'env'
  | 'options'
  | 'completion'
>

/** The parts that answer: what they are asked goes to the main thread. */
export const askedParts = [
  'tools',
  'skills',
  'files',
  'state',
  'attachments',
  'model',
  'agents',
  'client',
  'artifacts',
  'workspace',
  'processes',
  'web',
  'pages',
  'questions',
] as const
export type AskedPart = (typeof askedParts)[number]

/** An error on its way between threads. */
export interface SentError {
  name: string
  message: string
  stack?: string | undefined
  /** For a ToolError only. */
  tool?: {
    code: string
    retryable: boolean
    issues: readonly Issue[]
    fix: string | undefined
    details: Readonly<Record<string, unknown>>
  }
}

export interface RunOrder {
  kind: 'run'
  /**
   * Every message of this run carries it: messages of a tool that keeps running after its end are
   * ignored.
   */
  run: number
  url: string
  tool: string
  input: unknown
  context: PlainContext
  /** Which of the asked parts this call has. */
  has: readonly AskedPart[]
  abilities: ReadonlySet<ClientAbility> | undefined
}

export type WorkerAnswer =
  | { kind: 'answer'; id: number; value: unknown }
  | { kind: 'answer'; id: number; error: SentError }

/** To a worker. */
export type ToWorker = RunOrder | { kind: 'abort'; reason: SentError } | WorkerAnswer

/** A worker's message about a run. Questions and partial output are answered, the rest is not. */
export type FromWorker = { run: number } & Said

export type Said =
  | { kind: 'tell'; part: 'log' | 'progress' | 'cost' | 'client'; args: readonly unknown[] }
  | { kind: 'ask'; id: number; part: AskedPart | 'call'; method: string; args: readonly unknown[] }
  | { kind: 'partial'; id: number; value: unknown }
  | { kind: 'done'; value: unknown }
  | { kind: 'failed'; error: SentError }
