import type { Host } from '../../core/host/host.ts'
import { type NetworkBounds, openNetwork } from '../../host/network/open-network.ts'

export interface HostOptions {
  network: NetworkBounds
  /** The data folder, absolute. */
  data: string
  onWarning(message: string): void
}

/** Opens the parts of this machine that tools use, in the order of dependencies. */
export async function openHost(options: HostOptions): Promise<Host> {
  const network = openNetwork(options.network)
  return {
    network,
    close: () => network.close(),
  }
}
