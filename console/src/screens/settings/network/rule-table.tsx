import { IconEdit, IconTrash } from '@tabler/icons-react'
import { nameRuleAuthor, useNames } from '../../../api/use-names.ts'
import { toSafeLine } from '../../../output/values/safe-text.ts'
import { Cell, ListTable } from '../../../ui/list/list-table.tsx'
import { RowActions } from '../../../ui/list/row-actions.tsx'
import { Tag } from '../../../ui/tag.tsx'
import type { NetworkRule, NetworkRules } from './network-types.ts'
import { describeScope } from './rule-words.ts'
import styles from './network.module.css'

interface RuleTableProps {
  rules: NetworkRules
  /** Undefined for who may not change them. */
  actions:
    | { onEdit: (rule: NetworkRule) => void; onDelete: (rule: NetworkRule) => void }
    | undefined
}

/** Every rule: for whom, what it allows and what it denies. */
export function RuleTable({ rules: { rules, defaults }, actions }: RuleTableProps) {
  return (
    <ListTable label="Network rules" head={['Rule', 'Applies to', 'Allow', 'Deny', 'Set by', '']}>
      {defaults.map((rule) => (
        <tr key={`default ${rule.id}`}>
          <Cell kind="name">
            <RuleName rule={rule} />
          </Cell>
          <Cell label="Applies to">
            {describeScope(rule)}{' '}
            <Tag title="The same for every tenant">{describeSource(rule)}</Tag>
          </Cell>
          <Hosts allow={rule.allow} deny={rule.deny} />
          <Cell />
          <Cell />
        </tr>
      ))}
      {rules.map((rule) => (
        <tr key={rule.id}>
          <Cell kind="name">
            <RuleName rule={rule} />
          </Cell>
          <Cell label="Applies to">{describeScope(rule)}</Cell>
          <Hosts allow={rule.allow} deny={rule.deny} />
          <Cell label="Set by">
            <SetBy rule={rule} />
          </Cell>
          <Cell kind="menu">
            {actions !== undefined && rule.isDeclared !== true && (
              <RowActions
                name={rule.id}
                actions={[
                  { label: 'Edit', icon: IconEdit, onClick: () => actions.onEdit(rule) },
                  {
                    label: 'Delete',
                    icon: IconTrash,
                    isDangerous: true,
                    onClick: () => actions.onDelete(rule),
                  },
                ]}
              />
            )}
          </Cell>
        </tr>
      ))}
    </ListTable>
  )
}

function RuleName({ rule: { id, note, closed } }: { rule: NetworkRule }) {
  return (
    // One element, because a phone puts several side by side.
    <div>
      <code>{id}</code>
      {note !== undefined && (
        <span className={styles.note} dir="auto">
          {toSafeLine(note)}
        </span>
      )}
      {closed !== undefined && <Tag tone="deny">{toSafeLine(closed)}</Tag>}
    </div>
  )
}

function describeSource({ setBy }: NetworkRule): string {
  return setBy === 'configuration' ? 'From config' : 'Built in'
}

function SetBy({ rule: { setBy } }: { rule: NetworkRule }) {
  const describeName = useNames()
  // It has the time, too.
  return <>{nameRuleAuthor(setBy, describeName)}</>
}

function Hosts({ allow, deny }: { allow: readonly string[]; deny: readonly string[] }) {
  const nothing = deny.length === 0 ? 'Nothing' : '—'
  return (
    <>
      <Cell label="Allow">
        {allow.length === 0 ? (
          <span className={styles.dim}>{nothing}</span>
        ) : (
          <HostList hosts={allow} />
        )}
      </Cell>
      <Cell label="Deny">
        {deny.length === 0 ? <span className={styles.dim}>—</span> : <HostList hosts={deny} />}
      </Cell>
    </>
  )
}

const shownHosts = 8

function HostList({ hosts }: { hosts: readonly string[] }) {
  const more = hosts.length - shownHosts
  return (
    <span className={styles.hosts}>
      {hosts.slice(0, shownHosts).map((host) => (
        <code key={host}>{toSafeLine(host)}</code>
      ))}
      {more > 0 && <span className={styles.dim}>{`and ${more} more`}</span>}
    </span>
  )
}
