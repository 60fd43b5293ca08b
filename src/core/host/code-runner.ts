import type { Code } from '../kernel/context/code.ts'

/** Runs programs in an engine of their own. */
export interface CodeRunner {
  /** A tenant has at most half of the programs that run at once. Ends with the signal. */
  codeFor(tenant: string, signal: AbortSignal): Pick<Code, 'open'>
  close(): Promise<void>
}
