import type { EventLog } from '../../core/events/event-log.ts'
import type { CatalogueRecord, CatalogueStore } from '../../core/rules/catalogue.ts'
import type { Rule, RuleDraft, RuleStore } from '../../core/rules/rule-store.ts'
import { wordsOfRule } from '../../core/rules/rule-words.ts'
import { fitsWords } from '../../core/search/fits-words.ts'
import type { ToldEvent } from '../../core/events/event.ts'

/** With a way to say that something else about a tenant has changed. */
export interface MemoryRules extends RuleStore {
  note(tenant: string): void
}

/** Rules in memory. A change that fails leaves everything as it was. */
export function createMemoryRules(events: EventLog): MemoryRules {
  let rules = new Map<string, Rule>()
  const listeners = new Set<() => void>()
  const changed = new Set<string>()
  const keyOf = (tenant: string, kind: string, name: string) => [tenant, kind, name].join('\n')
  const sorted = (tenant: string) =>
    [...rules.values()]
      .filter((rule) => rule.tenant === tenant)
      .toSorted((a, b) => (a.kind + a.name < b.kind + b.name ? -1 : 1))
  let turn: Promise<unknown> = Promise.resolve()
  async function change<T>(
    tenant: string,
    by: Rule['updatedBy'],
    work: (draft: RuleDraft) => Promise<T>,
  ): Promise<T> {
    const before = new Map(rules)
    const told: ToldEvent[] = []
    const draft: RuleDraft = {
      find: async (kind, name) => rules.get(keyOf(tenant, kind, name)),
      list: async (kind) => sorted(tenant).filter((rule) => rule.kind === kind),
      async put(kind, name, { body, isDeclared = false }) {
        const key = keyOf(tenant, kind, name)
        const version = (rules.get(key)?.version ?? 0) + 1
        const written = { body: structuredClone(body), isDeclared, version, updatedBy: by }
        const rule = { tenant, kind, name, ...written, updatedAt: new Date().toISOString() }
        rules.set(key, rule)
        return rule
      },
      async putNew(kind, bodies) {
        for (const [name, body] of bodies) {
          if (!rules.has(keyOf(tenant, kind, name))) await draft.put(kind, name, { body })
        }
      },
      delete: async (kind, name) => rules.delete(keyOf(tenant, kind, name)),
      async deleteUnder(kind, prefix) {
        for (const rule of sorted(tenant)) {
          if (rule.kind === kind && rule.name.startsWith(prefix)) {
            rules.delete(keyOf(tenant, kind, rule.name))
          }
        }
      },
      tell: (type, data) =>
        void told.push({ principal: by, event: { type, at: Date.now(), data } }),
    }
    try {
      const result = await work(draft)
      await events.record(
        told.map(({ principal, event }) => ({ tenant, principal, events: [event] })),
      )
      changed.add(tenant)
      return result
    } catch (error) {
      rules = before
      throw error
    }
  }
  const under = (tenant: string, kind: string, prefix: string) =>
    sorted(tenant).filter((rule) => rule.kind === kind && rule.name.startsWith(prefix))
  const marks = new WeakMap<Rule, string>()
  const markOf = (rule: Rule) => {
    const mark = marks.get(rule) ?? crypto.randomUUID()
    marks.set(rule, mark)
    return mark
  }
  return {
    readUnder: async (tenant, kind, prefix) => under(tenant, kind, prefix),
    marksUnder: async (tenant, kind, prefix) =>
      new Map(under(tenant, kind, prefix).map((rule) => [rule.name, markOf(rule)])),
    read: async (tenant, kinds) => sorted(tenant).filter(({ kind }) => kinds.includes(kind)),
    async page(tenant, kind, { after = '', limit, q }) {
      const all = sorted(tenant)
        .filter((rule) => rule.kind === kind && rule.name > after)
        .filter((rule) => fitsWords(q, wordsOfRule(rule)))
      const items = all.slice(0, limit)
      return all.length > limit ? { items, next: items.at(-1)?.name } : { items }
    },
    find: async (tenant, kind, name) => rules.get(keyOf(tenant, kind, name)),
    async change(tenant, by, work) {
      const made = turn.then(() => change(tenant, by, work))
      turn = made.catch(() => undefined)
      const result = await made
      for (const listener of listeners) listener()
      return result
    },
    note(tenant) {
      changed.add(tenant)
      for (const listener of listeners) listener()
    },
    async changes(mark) {
      const tenants = mark === undefined ? [] : [...changed]
      changed.clear()
      return { mark: 'now', tenants }
    },
    watch(listener) {
      const entry = () => listener()
      listeners.add(entry)
      return () => listeners.delete(entry)
    },
  }
}

/** The catalogue in memory. */
export function createMemoryCatalogue(): CatalogueStore {
  const tools = new Map<string, CatalogueRecord>()
  return {
    async list({ state, after = '', limit }) {
      const all = [...tools.values()]
        .filter(({ name, goneMs }) => {
          return (
            name > after && (state === undefined || (state === 'gone') === (goneMs !== undefined))
          )
        })
        .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      const items = all.slice(0, limit)
      return all.length > limit ? { items, next: items.at(-1)?.name } : { items }
    },
    async write({ present, gone, forgotten, at }) {
      for (const { name, title } of present) {
        tools.set(name, { name, title, firstSeenMs: tools.get(name)?.firstSeenMs ?? at })
      }
      for (const name of gone) {
        const known = tools.get(name)
        if (known?.goneMs === undefined && known !== undefined)
          tools.set(name, { ...known, goneMs: at })
      }
      for (const name of forgotten) tools.delete(name)
    },
  }
}
