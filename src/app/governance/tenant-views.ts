import type { Stores } from '../../features/stores.ts'
import type { RuleKind } from '../../core/rules/rule-store.ts'
import type { AgentView, TenantView } from '../../core/rules/tenant-view.ts'
import { listPins } from '../../features/skills/skill-rules.ts'

export interface TenantViews {
  /** Undefined for an unknown tenant. The same object until it changes. */
  find(slug: string): Promise<TenantView | undefined>
  /**
   * Checks for changes now, and resolves when they are applied: for callers who have just made one.
   */
  refresh(): Promise<void>
  /** Called for every tenant whose view is outdated. */
  subscribe(listener: (slug: string) => void): () => void
  close(): void
}

/** The maximum number of cached tenants; others are read again, in a few milliseconds. */
const heldAtMost = 500
/** Per tenant. */
const agentsAtMost = 200
/** The longest delay of a change, even if its signal is lost. */
const lookEveryMs = 500

const wholeKinds: readonly RuleKind[] = [
  'policy',
  'provider',
  'profile',
  'group',
  'pack',
  'label',
  'limit',
  'network',
  'mcp-server',
  'api',
  'tool',
  'override',
]

type Needed = Pick<Stores, 'kind' | 'tenants' | 'rules' | 'secrets'>

interface ViewParts {
  store: Needed
  /** The names of the secrets that decide which others a tool of this tenant needs. */
  findDeciding(slug: string): ReadonlySet<string>
  onWarning(message: string): void
}

/** Opens the views; each is read when it is first requested. */
export async function createTenantViews(parts: ViewParts): Promise<TenantViews> {
  const { store, onWarning } = parts
  const held = new Map<string, Promise<TenantView | undefined>>()
  const listeners = new Set<(slug: string) => void>()
  const { refresh } = await createLook(store.rules, (slug) => {
    held.delete(slug)
    for (const listener of listeners) listener(slug)
  })
  const lookInTime = () =>
    void refresh().catch((error: unknown) =>
      onWarning(`Changes of rules could not be read: ${String(error)}`),
    )
  const unwatch = store.rules.watch(lookInTime)
  // The embedded store has no other writers.
  const timer = store.kind === 'postgres' ? setInterval(lookInTime, lookEveryMs).unref() : undefined

  return {
    find(slug) {
      const known = held.get(slug)
      if (known !== undefined) return known
      const read = readView(slug, parts)
      held.set(slug, read)
      if (held.size > heldAtMost) held.delete(held.keys().next().value ?? '')
      read.then(
        (view) => view ?? (held.get(slug) === read && held.delete(slug)),
        () => held.get(slug) === read && held.delete(slug),
      )
      return read
    },
    refresh,
    subscribe(listener) {
      const entry = (slug: string) => listener(slug)
      listeners.add(entry)
      return () => listeners.delete(entry)
    },
    close() {
      clearInterval(timer)
      unwatch()
    },
  }
}

/** Checks for changes, one check at a time. */
async function createLook(
  rules: Needed['rules'],
  onChange: (slug: string) => void,
): Promise<Pick<TenantViews, 'refresh'>> {
  let { mark } = await rules.changes()
  let looking: Promise<void> | undefined
  let next: Promise<void> | undefined

  async function look(): Promise<void> {
    const found = await rules.changes(mark)
    ;({ mark } = found)
    for (const slug of found.tenants) onChange(slug)
  }
  /**
   * A check that began before a change may miss it, so callers in the meantime get the next one.
   */
  function refresh(): Promise<void> {
    if (looking === undefined) {
      looking = look().finally(() => (looking = undefined))
      return looking
    }
    next ??= looking
      .catch(() => undefined)
      .then(() => {
        next = undefined
        return refresh()
      })
    return next
  }
  return { refresh }
}

async function readView(slug: string, parts: ViewParts): Promise<TenantView | undefined> {
  const { store } = parts
  const tenant = await store.tenants.find(slug)
  if (tenant === undefined) return undefined
  const [rules, secrets] = await Promise.all([
    store.rules.read(slug, wholeKinds),
    store.secrets.list(slug),
  ])
  const byKind = Map.groupBy(rules, ({ kind }) => kind)
  const names = new Map<string, Set<string>>()
  for (const { agent = '', name, isEmpty } of secrets) {
    if (isEmpty === true) continue
    names.set(agent, (names.get(agent) ?? new Set()).add(name))
  }
  const choices = createChoiceReader(slug, names, parts)
  const agent = createAgentReader(store, slug)
  return { tenant, rules: byKind, secrets: names, choices, agent }
}

const noChoices: ReadonlyMap<string, string> = new Map()

/** Reads nothing unless such a secret is set. One that can't be opened decides nothing. */
function createChoiceReader(
  tenant: string,
  names: ReadonlyMap<string, ReadonlySet<string>>,
  { store, findDeciding, onWarning }: ViewParts,
): TenantView['choices'] {
  return async (agent) => {
    const deciding = [...findDeciding(tenant)].filter(
      (name) => names.get('')?.has(name) || (agent && names.get(agent)?.has(name)),
    )
    if (deciding.length === 0) return noChoices
    return store.secrets.read({ tenant, agent }, deciding).catch((error: unknown) => {
      onWarning(`Settings of tools could not be read: ${String(error)}`)
      return noChoices
    })
  }
}

/** Agents are read one by one, on demand; a change of the tenant drops them with its view. */
function createAgentReader(store: Needed, tenant: string): TenantView['agent'] {
  const held = new Map<string, Promise<AgentView | undefined>>()
  return (slug) => {
    const known = held.get(slug)
    if (known !== undefined) return known
    const read = readAgent(store, tenant, slug)
    held.set(slug, read)
    if (held.size > agentsAtMost) held.delete(held.keys().next().value ?? '')
    read.then(
      (agent) => agent ?? held.delete(slug),
      () => held.delete(slug),
    )
    return read
  }
}

async function readAgent(
  store: Needed,
  tenant: string,
  slug: string,
): Promise<AgentView | undefined> {
  const [agent, grants, pins] = await Promise.all([
    store.rules.find(tenant, 'agent', slug),
    store.rules.find(tenant, 'grants', slug),
    listPins(store.rules, { tenant, agent: slug, limit: 1 }),
  ])
  return agent && { agent, grants, hasSkills: pins.length > 0 }
}
