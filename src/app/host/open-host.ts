import type { Host } from '../../core/host/host.ts'
import { openPages } from '../../host/pages/open-pages.ts'
import { type NetworkBounds, openNetwork } from '../../host/network/open-network.ts'

export interface HostOptions {
  network: NetworkBounds
  /** The data folder, absolute. */
  data: string
  onWarning(message: string): void
}

/** Beside us the files end in .ts in a checkout and in .js once built. */
const ending = import.meta.url.endsWith('.ts') ? '.ts' : '.js'
const pageWorker = new URL(`../../host/pages/page-worker${ending}`, import.meta.url).href

/** Opens the parts of this machine that tools use, in the order of dependencies. */
export async function openHost(options: HostOptions): Promise<Host> {
  const network = openNetwork(options.network)
  const pages = openPages({ module: pageWorker })
  return {
    network,
    pages,
    async close() {
      await pages.close()
      await network.close()
    },
  }
}
