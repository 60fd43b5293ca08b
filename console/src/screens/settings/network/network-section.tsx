import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useCan } from '../../../api/me.ts'
import { Panel } from '../../../ui/page.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { LoadingPanel } from '../loading-panel.tsx'
import { DeleteRule } from './delete-rule.tsx'
import { DeniedDials } from './denied-dials.tsx'
import { ExplainHost } from './explain-host.tsx'
import { networkRulesQuery } from './network-queries.ts'
import type { NetworkRule } from './network-types.ts'
import { RuleDialog } from './rule-dialog.tsx'
import { RuleTable } from './rule-table.tsx'

const title = 'Network rules'

/** Which hosts tools and programs may reach, why, and what was denied. */
export function NetworkSection() {
  const query = useQuery(networkRulesQuery)
  const mayWrite = useCan('policy.write')
  const [edited, setEdited] = useState<NetworkRule | 'new'>()
  const [deleted, setDeleted] = useState<NetworkRule>()
  return (
    <>
      <QueryView query={query} loading={<LoadingPanel title={title} rows={4} />}>
        {(rules) => (
          <Panel
            isFlush
            title={title}
            description="What one rule denies, no other allows. Without rules, tools reach all public hosts."
            actions={
              mayWrite && (
                <Button
                  size="xs"
                  leftSection={<IconPlus size={15} stroke={1.6} />}
                  onClick={() => setEdited('new')}
                >
                  Add rule
                </Button>
              )
            }
          >
            <RuleTable
              rules={rules}
              actions={mayWrite ? { onEdit: setEdited, onDelete: setDeleted } : undefined}
            />
          </Panel>
        )}
      </QueryView>
      <ExplainHost />
      <DeniedDials />
      {edited !== undefined && query.data !== undefined && (
        <RuleDialog
          rule={edited === 'new' ? undefined : edited}
          known={query.data.rules}
          onClose={() => setEdited(undefined)}
        />
      )}
      {deleted !== undefined && query.data !== undefined && (
        <DeleteRule rule={deleted} known={query.data.rules} onClose={() => setDeleted(undefined)} />
      )}
    </>
  )
}
