import type { SecretVault } from '../core/vault-ports.ts'

/** Which secrets are set, by name, in memory: visibility asks on every call and must not wait for a disk. */
export interface SecretNames {
  /** The tenant's names and those of this agent. */
  namesFor(tenant: string, agent: string | undefined): ReadonlySet<string>
  refresh(tenant: string): Promise<void>
  close(): void
}

/** Another node may have written one: how often we look, and thus how long a change takes to get here. */
const lookEveryMs = 2000

export async function createSecretNames(
  vault: SecretVault,
  tenants: readonly string[],
  options: { isShared: boolean; onChange: () => void },
): Promise<SecretNames> {
  const names = new Map<string, string>()
  const sets = new Map<string, Set<string>>()

  async function refresh(tenant: string): Promise<void> {
    const secrets = await vault.list(tenant)
    const fingerprint = secrets.map((secret) => `${secret.agent ?? ''}\n${secret.name}`).join('\n')
    if (names.get(tenant) === fingerprint) return
    names.set(tenant, fingerprint)
    for (const key of sets.keys()) if (key.startsWith(`${tenant}\n`)) sets.delete(key)
    for (const { name, agent } of secrets) {
      const key = `${tenant}\n${agent ?? ''}`
      sets.set(key, (sets.get(key) ?? new Set()).add(name))
    }
    options.onChange()
  }
  for (const tenant of tenants) await refresh(tenant)
  const look = () => void Promise.all(tenants.map(refresh)).catch(() => undefined)
  const timer = options.isShared ? setInterval(look, lookEveryMs).unref() : undefined

  return {
    namesFor(tenant, agent) {
      const shared = sets.get(`${tenant}\n`) ?? noNames
      const own = agent === undefined ? undefined : sets.get(`${tenant}\n${agent}`)
      return own === undefined ? shared : new Set([...shared, ...own])
    },
    refresh,
    close: () => clearInterval(timer),
  }
}

const noNames: ReadonlySet<string> = new Set()
