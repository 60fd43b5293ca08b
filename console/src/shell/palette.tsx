import { useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight, spotlight } from '@mantine/spotlight'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { IconSearch } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import type { KeyboardEvent, RefObject } from 'react'
import { useMe } from '../api/me.ts'
import { creating } from '../ui/dialog/creating.ts'
import { notifyFailure } from '../ui/notify.ts'
import { foundQuery } from './find-entries.ts'
import { toEntryGroups } from './palette-entries.ts'
import type { Command } from './palette-entries.ts'

const nothing = { tools: [], agents: [] }

/** Opens screens, settings, tools and agents by name, creates things and switches the theme. */
export function Palette() {
  const me = useMe()
  const perform = usePerform()
  const [isOpen, setIsOpen] = useState(false)
  const [query, setQuery] = useState('')
  const typed = useRef('')
  const [asked] = useDebouncedValue(query.trim(), 120)
  const { data } = useQuery({
    ...foundQuery(asked, me),
    enabled: isOpen,
    placeholderData: (before) => before,
  })
  const groups = toEntryGroups(query, me, data ?? nothing)
  const onKeyDownCapture = useEnterKey(typed, perform)
  return (
    <Spotlight
      actions={groups.map(({ group, entries }) => ({
        group,
        actions: entries.map(({ id, label, description, icon: Icon, command }) => ({
          id,
          label,
          ...(description !== undefined && { description }),
          leftSection: <Icon size={16} stroke={1.6} />,
          onClick: () => perform(command),
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
      // Its key is one of the shortcuts, which work before the palette is loaded.
      shortcut={null}
      searchProps={{
        leftSection: <IconSearch size={16} />,
        placeholder: 'Search or jump to…',
        'aria-label': 'Search or jump to',
        onKeyDownCapture,
      }}
      attributes={{ content: { 'aria-label': 'Search or jump to' } }}
    />
  )
}

/**
 * Enter runs the first match of the current text, as the visible list may still show matches of an older
 * text. Once an arrow key has moved the selection, the palette handles Enter itself.
 */
function useEnterKey(typed: RefObject<string>, perform: (command: Command) => void) {
  const me = useMe()
  const queryClient = useQueryClient()
  const hasMoved = useRef(false)
  const runFirst = async () => {
    const text = typed.current
    const found = await queryClient.fetchQuery(foundQuery(text, me))
    const first = toEntryGroups(text, me, found)[0]?.entries[0]
    if (first === undefined || typed.current !== text) return
    spotlight.close()
    perform(first.command)
  }
  return (event: KeyboardEvent) => {
    if (event.key.startsWith('Arrow')) hasMoved.current = true
    else if (event.key !== 'Enter') hasMoved.current = false
    if (event.key !== 'Enter' || hasMoved.current) return
    event.stopPropagation()
    event.preventDefault()
    void runFirst().catch(notifyFailure)
  }
}

function usePerform(): (command: Command) => void {
  const router = useRouter()
  const { setColorScheme } = useMantineColorScheme()
  return (command) => {
    switch (command.kind) {
      case 'go':
        return void router.navigate({ to: command.to })
      case 'tool':
        return void router.navigate({ to: '/tools/$name', params: { name: command.name } })
      case 'agent':
        return void (command.isManaged
          ? router.navigate({ to: '/agents/$slug', params: { slug: command.slug } })
          : router.navigate({
              to: '/chat/{-$agent}/{-$conversation}',
              params: { agent: command.slug },
            }))
      case 'create':
        creating.open(command.what)
        return void router.navigate({ to: command.to })
      case 'scheme':
        return setColorScheme(command.scheme)
    }
  }
}
