import type { WorkspaceDisk } from './workspace-disk.ts'
import type { HostNetwork } from './host-network.ts'
import type { CodeRunner } from './code-runner.ts'
import type { HostPages } from './host-pages.ts'
import type { Sandbox } from './sandbox.ts'

/** The parts of this machine that tools use. Opened once by `app`; features decide who may use what. */
export interface Host {
  readonly network: HostNetwork
  /** The folder of workspaces, opened when it is first needed. */
  disk(): Promise<WorkspaceDisk>
  readonly pages: HostPages
  readonly sandbox: Sandbox
  readonly code: CodeRunner
  /** After the last call has settled. */
  close(): Promise<void>
}
