import {
  IconApi,
  IconCalendarPlus,
  IconKey,
  IconMoon,
  IconPlugConnected,
  IconPlus,
  IconRobot,
  IconSun,
  IconTool,
  IconUserPlus,
} from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import { holds } from '../api/me.ts'
import type { Me } from '../api/me.ts'
import { isOpenTo, sections } from '../screens/settings/sections.ts'
import type { Creatable } from '../ui/dialog/creating.ts'
import { isOffered, places } from './places.ts'

/** The command of an entry. */
export type Command =
  | { kind: 'go'; to: string }
  | { kind: 'tool'; name: string }
  | { kind: 'agent'; slug: string; isManaged: boolean }
  | { kind: 'create'; what: Creatable; to: string }
  | { kind: 'scheme'; scheme: 'light' | 'dark' | 'auto' }

export interface Entry {
  id: string
  label: string
  description?: string
  icon: Icon
  command: Command
  /** Other words that it is found by. */
  words?: string
}

export interface EntryGroup {
  group: string
  entries: Entry[]
}

/** The server's matches for the query. */
export interface Found {
  tools: readonly { name: string; title: string; effect: string }[]
  agents: readonly { slug: string; name: string }[]
}

/**
 * The entries of the palette for a query. A name that is typed, or its beginning, comes before what only
 * holds the words somewhere; within that, screens and actions come before tools.
 */
export function toEntryGroups(words: string, me: Me, found: Found): EntryGroup[] {
  const asked = words.trim().toLowerCase()
  const groups = [
    { group: 'Go to', entries: fitting(asked, asked === '' ? toScreens(me) : toPlaces(me)) },
    { group: 'Actions', entries: asked === '' ? [] : fitting(asked, toActions(me)) },
    { group: 'Tools', entries: found.tools.map(toTool) },
    { group: 'Agents', entries: found.agents.map((agent) => toAgent(agent, me)) },
  ].filter(({ entries }) => entries.length > 0)
  if (asked === '') return groups
  const best = (entries: readonly Entry[]) => Math.min(...entries.map((one) => rank(asked, one)))
  return groups
    .map(({ group, entries }) => ({
      group,
      // The server has sorted its own matches; an exact name still comes first.
      entries: entries.toSorted((a, b) => rank(asked, a) - rank(asked, b)),
    }))
    .toSorted((a, b) => best(a.entries) - best(b.entries))
}

/** 0: it is the name; 1: the name begins so; 2: a word of it does; 3: the words are in it; 4: neither. */
function rank(asked: string, { label, id, words = '' }: Entry): number {
  const names = [label.toLowerCase(), id.toLowerCase()]
  if (names.includes(asked)) return 0
  if (names.some((name) => name.startsWith(asked))) return 1
  const all = [...names, words].join(' ')
  if (all.split(/[\s.:&/-]+/).some((word) => word.startsWith(asked))) return 2
  return all.includes(asked) ? 3 : 4
}

function fitting(asked: string, entries: readonly Entry[]): Entry[] {
  return asked === '' ? [...entries] : entries.filter((entry) => rank(asked, entry) < 4)
}

function toScreens(me: Me): Entry[] {
  return places
    .filter((place) => isOffered(place, me.permissions))
    .map(({ to, label, icon }): Entry => ({ id: to, label, icon, command: { kind: 'go', to } }))
}

function toPlaces(me: Me): Entry[] {
  const parts = sections
    .filter((section) => isOpenTo(me, section))
    .map(({ slug, label, icon }): Entry => {
      const to = `/settings/${slug}`
      return { id: to, label, description: 'Settings', icon, command: { kind: 'go', to } }
    })
  return [...toScreens(me), ...parts]
}

interface Creation {
  what: Creatable
  label: string
  to: string
  icon: Icon
  needs: string
}

const creations: readonly Creation[] = [
  { what: 'tool', label: 'New tool', to: '/studio', icon: IconPlus, needs: 'tools.author' },
  { what: 'agent', label: 'New agent', to: '/agents', icon: IconRobot, needs: 'agents.manage' },
  {
    what: 'mcp-server',
    label: 'New MCP server',
    to: '/mcp-servers',
    icon: IconPlugConnected,
    needs: 'mcp.manage',
  },
  { what: 'api', label: 'Import an API', to: '/apis', icon: IconApi, needs: 'apis.manage' },
  { what: 'secret', label: 'New secret', to: '/secrets', icon: IconPlus, needs: 'secrets.write' },
  {
    what: 'schedule',
    label: 'New schedule',
    to: '/schedules',
    icon: IconCalendarPlus,
    needs: 'schedules.manage',
  },
  { what: 'key', label: 'New API key', to: '/settings/keys', icon: IconKey, needs: 'keys.manage' },
  {
    what: 'member',
    label: 'Invite member',
    to: '/settings/members',
    icon: IconUserPlus,
    needs: 'members.manage',
  },
]

function toActions(me: Me): Entry[] {
  return [
    ...creations
      .filter(({ needs }) => holds(me.permissions, needs))
      .map(({ what, label, to, icon }): Entry => ({
        id: `create ${what}`,
        label,
        icon,
        command: { kind: 'create', what, to },
        words: 'add create new',
      })),
    ...(['light', 'dark', 'auto'] as const).map((scheme): Entry => ({
      id: `theme ${scheme}`,
      label: scheme === 'auto' ? 'Use system theme' : `Use ${scheme} theme`,
      icon: scheme === 'dark' ? IconMoon : IconSun,
      command: { kind: 'scheme', scheme },
      words: 'colour color mode appearance',
    })),
  ]
}

function toTool({ name, title, effect }: Found['tools'][number]): Entry {
  return {
    id: name,
    label: title,
    description: `${name} · ${effect}`,
    icon: IconTool,
    command: { kind: 'tool', name },
  }
}

function toAgent({ slug, name }: Found['agents'][number], { permissions }: Me): Entry {
  const isManaged = holds(permissions, 'policy.read') || holds(permissions, 'agents.manage')
  return {
    id: `agent ${slug}`,
    label: name,
    description: isManaged ? slug : `Chat with ${slug}`,
    icon: IconRobot,
    command: { kind: 'agent', slug, isManaged },
    words: slug,
  }
}
