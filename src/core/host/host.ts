import type { HostNetwork } from './host-network.ts'
import type { HostPages } from './host-pages.ts'
import type { Sandbox } from './sandbox.ts'

/** The parts of this machine that tools use. Opened once by `app`; features decide who may use what. */
export interface Host {
  readonly network: HostNetwork
  readonly pages: HostPages
  readonly sandbox: Sandbox
  /** After the last call has settled. */
  close(): Promise<void>
}
