import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight, spotlight } from '@mantine/spotlight'
import type { SpotlightActionData, SpotlightActionGroupData } from '@mantine/spotlight'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { IconSearch, IconTool } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { api, read } from '../api/client.ts'
import type { Api } from '../api/client.ts'
import { useCan, useMe } from '../api/me.ts'
import { isOffered, places } from './places.ts'

/** Go anywhere by name: a screen, a tool. */
export function Palette() {
  const router = useRouter()
  const mayCall = useCan('tools.call')
  const { permissions } = useMe()
  const [isOpen, setIsOpen] = useState(false)
  const [query, setQuery] = useState('')
  const hasMoved = useRef(false)
  const [asked] = useDebouncedValue(query.trim(), 120)
  const { data } = useQuery({
    queryKey: ['tools', 'palette', asked],
    queryFn: () => findTools(asked),
    enabled: mayCall && isOpen,
    placeholderData: (before) => before,
  })
  const screens = places
    .filter((place) => isOffered(place, permissions))
    .filter(({ label }) => label.toLowerCase().includes(query.trim().toLowerCase()))
    .map(({ to, label, icon: Icon }): SpotlightActionData => ({
      id: to,
      label,
      leftSection: <Icon size={16} stroke={1.6} />,
      onClick: () => void router.navigate({ to }),
    }))
  const tools = (data?.items ?? []).map(({ name, title, effect }): SpotlightActionData => ({
    id: name,
    label: title,
    description: `${name} · ${effect}`,
    leftSection: <IconTool size={16} stroke={1.6} />,
    onClick: () => void router.navigate({ to: '/tools/$name', params: { name } }),
  }))
  const groups: SpotlightActionGroupData[] = [
    { group: 'Tools', actions: tools },
    { group: 'Go to', actions: screens },
  ].filter(({ actions }) => actions.length > 0)
  return (
    <Spotlight
      actions={groups}
      query={query}
      onQueryChange={setQuery}
      onSpotlightOpen={() => setIsOpen(true)}
      onSpotlightClose={() => setIsOpen(false)}
      filter={(_, actions) => actions}
      nothingFound="Nothing has that name"
      highlightQuery
      scrollable
      maxHeight={420}
      // Its key is among the shortcuts: it works before the palette is loaded.
      shortcut={null}
      searchProps={{
        leftSection: <IconSearch size={16} />,
        placeholder: 'Search or jump to…',
        'aria-label': 'Search or jump to',
        // Marks stay with what was found before: until somebody moves, Enter means the first.
        onKeyDownCapture(event) {
          if (event.key.startsWith('Arrow')) hasMoved.current = true
          else if (event.key !== 'Enter') hasMoved.current = false
          const first = groups[0]?.actions[0]
          if (event.key !== 'Enter' || hasMoved.current || first === undefined) return
          event.stopPropagation()
          event.preventDefault()
          spotlight.close()
          first.onClick?.(event as never)
        },
      }}
      attributes={{ content: { 'aria-label': 'Search or jump to' } }}
    />
  )
}

type FoundTool = Pick<Api<'Tool'>, 'name' | 'title' | 'effect'>

/** The best first: a list by name would bury what was meant. */
async function findTools(asked: string): Promise<{ items: readonly FoundTool[] }> {
  if (asked === '') return read(api.GET('/api/v1/tools', { params: { query: { limit: 12 } } }))
  return read(api.GET('/api/v1/tool-search', { params: { query: { q: asked, limit: 12 } } }))
}
