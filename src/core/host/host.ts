import type { HostNetwork } from './host-network.ts'
import type { HostPages } from './host-pages.ts'

/** The parts of this machine that tools use. Opened once by `app`; features decide who may use what. */
export interface Host {
  readonly network: HostNetwork
  readonly pages: HostPages
  /** After the last call has settled. */
  close(): Promise<void>
}
