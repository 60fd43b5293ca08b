import { Anchor, Drawer } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { QueryView } from '../../ui/query-view.tsx'
import { Empty } from '../../ui/states.tsx'
import { Tag } from '../../ui/tag.tsx'
import styles from './tools.module.css'

/** The number of tools hidden from you, and why each is hidden. */
export function HiddenTools({ count }: { count: number }) {
  const [isOpen, { open, close }] = useDisclosure()
  if (count <= 0) return null
  return (
    <>
      <Anchor component="button" type="button" size="sm" onClick={open}>
        {count} hidden from you: see why
      </Anchor>
      <Drawer opened={isOpen} onClose={close} position="right" size="md" title="Hidden from you">
        {isOpen && <HiddenList />}
      </Drawer>
    </>
  )
}

function HiddenList() {
  const query = useQuery({
    queryKey: ['explain', 'hidden'],
    queryFn: () => read(api.GET('/api/v1/explain')),
    select: ({ items }) => items.filter(isHidden),
  })
  return (
    <QueryView query={query}>
      {(items) =>
        items.length === 0 ? (
          <Empty title="No hidden tools" />
        ) : (
          <ul className={styles.hidden}>
            {items.map((one) => (
              <HiddenTool key={one.tool} explanation={one} />
            ))}
          </ul>
        )
      }
    </QueryView>
  )
}

/** Tools that lack a secret or are quarantined are in the library, with a link to the fix. */
function isHidden({ visible, stoppedBy }: Api<'Explanation'>): boolean {
  return !visible && stoppedBy !== 'needs' && stoppedBy !== 'health'
}

function HiddenTool({ explanation: { tool, layers } }: { explanation: Api<'Explanation'> }) {
  const stop = layers.find(({ passes }) => !passes)
  return (
    <li>
      <div className={styles.hiddenName}>
        <code>{tool}</code>
        {stop !== undefined && <Tag>{stop.layer}</Tag>}
      </div>
      {stop !== undefined && <p dir="auto">{stop.reason}</p>}
      {stop?.fix !== undefined && <p dir="auto">{stop.fix}</p>}
    </li>
  )
}
