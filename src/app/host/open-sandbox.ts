import { availableParallelism } from 'node:os'
import type { Sandbox } from '../../core/host/sandbox.ts'
import { defaultTenant } from '../../core/rules/tenant.ts'
import type { TenantStore } from '../../core/rules/tenant.ts'
import type { SandboxConfig } from '../../features/sandbox/config.ts'
import { createSandbox } from '../../host/sandbox/create-sandbox.ts'
import { openDriver } from '../../host/sandbox/open-driver.ts'

interface SandboxParts {
  sandbox: SandboxConfig
  tenants: Pick<TenantStore, 'list'>
  env: Readonly<Record<string, string | undefined>>
  /** The data folder. */
  data: string
}

/** The last bytes of each stream of a background process that can be read. */
const bufferBytes = 512 * 1024

/** The sandbox of this machine. Nothing is looked for before it is first needed. */
export function openSandbox({ sandbox: config, tenants, env, data }: SandboxParts): Sandbox {
  const { driver, readOnly, image } = config
  const isAlone = async () => {
    const { items } = await tenants.list({ limit: 2 })
    return items.every(({ slug }) => slug === defaultTenant)
  }
  return createSandbox({
    driver: () => openDriver({ driver, readOnly, image, env, isAlone }),
    data,
    limits: config,
    commands: config.commands ?? Math.max(8, 4 * availableParallelism()),
    background: {
      perWorkspace: config.background,
      perNode: config.nodeBackground,
      bufferBytes,
      cpuSeconds: config.backgroundCpuSeconds,
    },
  })
}
