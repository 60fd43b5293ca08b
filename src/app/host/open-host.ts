import type { Host } from '../../core/host/host.ts'
import { lazyDisk } from './lazy-disk.ts'
import { openCodeRunner } from '../../host/code/open-code-runner.ts'
import { openPages } from '../../host/pages/open-pages.ts'
import type { TenantStore } from '../../core/rules/tenant.ts'
import type { WorkspacesConfig } from '../../features/workspaces/config.ts'
import type { CodeConfig } from '../../features/code/config.ts'
import type { SandboxConfig } from '../../features/sandbox/config.ts'
import { type NetworkBounds, openNetwork } from '../../host/network/open-network.ts'
import { openSandbox } from './open-sandbox.ts'

export interface HostOptions {
  network: NetworkBounds
  sandbox: SandboxConfig
  code: CodeConfig
  tenants: Pick<TenantStore, 'list'>
  env: Readonly<Record<string, string | undefined>>
  /** The data folder, absolute. */
  data: string
  workspaces: Pick<WorkspacesConfig, 'folder'>
  onWarning(message: string): void
}

/** Beside us the files end in .ts in a checkout and in .js once built. */
const ending = import.meta.url.endsWith('.ts') ? '.ts' : '.js'
const pageWorker = new URL(`../../host/pages/page-worker${ending}`, import.meta.url).href
const codeWorker = new URL(`../../host/code/code-worker${ending}`, import.meta.url).href

/** Opens the parts of this machine that tools use, in the order of dependencies. */
export async function openHost(options: HostOptions): Promise<Host> {
  const network = openNetwork(options.network)
  const pages = openPages({ module: pageWorker })
  const sandbox = openSandbox(options)
  const code = openCodeRunner({ module: codeWorker, ...options.code })
  return {
    network,
    disk: lazyDisk({ ...options.workspaces, data: options.data }),
    pages,
    sandbox,
    code,
    async close() {
      await sandbox.close()
      await code.close()
      await pages.close()
      await network.close()
    },
  }
}
