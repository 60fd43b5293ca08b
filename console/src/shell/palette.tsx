import { useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight, spotlight } from '@mantine/spotlight'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { IconSearch } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useMe } from '../api/me.ts'
import { creating } from '../ui/dialog/creating.ts'
import { notifyFailure } from '../ui/notify.ts'
import { foundQuery } from './find-entries.ts'
import { toEntryGroups } from './palette-entries.ts'
import type { Deed } from './palette-entries.ts'

const nothing = { tools: [], agents: [] }

/** Go anywhere by name, or do something: screens, settings, tools, agents, new things, the theme. */
export function Palette() {
  const me = useMe()
  const queryClient = useQueryClient()
  const perform = usePerform()
  const [isOpen, setIsOpen] = useState(false)
  const [query, setQuery] = useState('')
  const typed = useRef('')
  const hasMoved = useRef(false)
  const [asked] = useDebouncedValue(query.trim(), 120)
  const { data } = useQuery({
    ...foundQuery(asked, me),
    enabled: isOpen,
    placeholderData: (before) => before,
  })
  const groups = toEntryGroups(query, me, data ?? nothing)
  /** Acts on what these very words find: the list in sight may still be that of the words before. */
  const enter = async () => {
    const words = typed.current
    const found = await queryClient.fetchQuery(foundQuery(words, me))
    const first = toEntryGroups(words, me, found)[0]?.entries[0]
    if (first === undefined || typed.current !== words) return
    spotlight.close()
    perform(first.deed)
  }
  return (
    <Spotlight
      actions={groups.map(({ group, entries }) => ({
        group,
        actions: entries.map(({ id, label, description, icon: Icon, deed }) => ({
          id,
          label,
          ...(description !== undefined && { description }),
          leftSection: <Icon size={16} stroke={1.6} />,
          onClick: () => perform(deed),
        })),
      }))}
      query={query}
      onQueryChange={(next) => {
        typed.current = next
        setQuery(next)
      }}
      onSpotlightOpen={() => setIsOpen(true)}
      onSpotlightClose={() => setIsOpen(false)}
      filter={(_, actions) => actions}
      nothingFound="No results"
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
          if (event.key !== 'Enter' || hasMoved.current) return
          event.stopPropagation()
          event.preventDefault()
          void enter().catch(notifyFailure)
        },
      }}
      attributes={{ content: { 'aria-label': 'Search or jump to' } }}
    />
  )
}

function usePerform(): (deed: Deed) => void {
  const router = useRouter()
  const { setColorScheme } = useMantineColorScheme()
  return (deed) => {
    switch (deed.kind) {
      case 'go':
        return void router.navigate({ to: deed.to })
      case 'tool':
        return void router.navigate({ to: '/tools/$name', params: { name: deed.name } })
      case 'agent':
        return void (deed.isManaged
          ? router.navigate({ to: '/agents/$slug', params: { slug: deed.slug } })
          : router.navigate({
              to: '/chat/{-$agent}/{-$conversation}',
              params: { agent: deed.slug },
            }))
      case 'create':
        creating.open(deed.what)
        return void router.navigate({ to: deed.to })
      case 'scheme':
        return setColorScheme(deed.scheme)
    }
  }
}
