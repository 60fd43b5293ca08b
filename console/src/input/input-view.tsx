import { Button, SegmentedControl } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import type { Api } from '../api/client.ts'
import type { JsonValue } from '../api/json.ts'
import { JsonTree } from '../output/json/json-tree.tsx'
import { LongText } from '../output/text/long-text.tsx'
import { Tag } from '../ui/tag.tsx'
import { entitiesIn, modelOf, toInputTree } from './input-tree.ts'
import type { InputNode, InputRow } from './input-tree.ts'
import { useEntityNames } from '../form/entities/use-entity-names.ts'
import type { EntityId } from '../form/entities/entity-type.ts'
import type { EntityName } from '../form/entities/use-entity-names.ts'
import styles from './input-view.module.css'

interface InputViewProps {
  /** The heading of the input: `Input`. */
  title: string
  /** Undefined where this person does not see the tool. */
  tool: Pick<Api<'ToolDetail'>, 'name' | 'inputSchema' | 'form'> | undefined
  value: JsonValue
  /** Beside the choice between the form and JSON. */
  actions?: ReactNode
}

/** An input to read: its fields by name, things by what they are called, and as JSON. */
export function InputView({ title, tool, value, actions }: InputViewProps) {
  const [mode, setMode] = useState('form')
  return (
    <div>
      <div className={styles.head}>
        <span className={styles.title}>{title}</span>
        <span className={styles.actions}>
          {actions}
          <SegmentedControl
            size="xs"
            data={[
              { value: 'form', label: 'Form' },
              { value: 'json', label: 'JSON' },
            ]}
            aria-label={`Show ${title.toLowerCase()} as`}
            value={mode}
            onChange={setMode}
          />
        </span>
      </div>
      {mode === 'json' ? (
        <JsonTree value={value} label={title} />
      ) : (
        <InputForm tool={tool} value={value} title={title} />
      )}
    </div>
  )
}

/** The fields alone. */
function InputForm({ tool, value, title }: Omit<InputViewProps, 'actions'>) {
  const tree = useMemo(() => toInputTree(modelOf(tool), value), [tool, value])
  const [mayAskOutside, setMayAskOutside] = useState(false)
  const { nameOf, sources, outside } = useEntityNames(entitiesIn(tree), mayAskOutside)
  return (
    <section className={styles.form} aria-label={title}>
      <Node node={tree} nameOf={nameOf} />
      {outside.length > 0 && (
        <p className={styles.source}>
          {outside.join(', ')} knows the names, but reaches outside of this server.{' '}
          <Button size="compact-xs" variant="default" onClick={() => setMayAskOutside(true)}>
            Look up names
          </Button>
        </p>
      )}
      {sources.length > 0 && <p className={styles.source}>Names from {sources.join(', ')}</p>}
    </section>
  )
}

type NameOf = (of: EntityId) => EntityName | undefined

function Node({ node, nameOf }: { node: InputNode; nameOf: NameOf }) {
  switch (node.kind) {
    case 'text':
      return (
        <span className={styles.text} dir="auto">
          <LongText text={node.text} />
        </span>
      )
    case 'entity':
      return <EntityValue id={node.id} name={nameOf(node)} />
    case 'json':
      return <JsonTree value={node.value} label="Value" />
    case 'items':
      return (
        <ul className={styles.items}>
          {node.items.map((item, index) => (
            <li key={index}>
              <Node node={item} nameOf={nameOf} />
            </li>
          ))}
        </ul>
      )
    case 'fields':
      return <FieldRows rows={node.rows} unset={node.unset} nameOf={nameOf} />
  }
}

interface FieldRowsProps {
  rows: readonly InputRow[]
  unset: readonly string[]
  nameOf: NameOf
}

function FieldRows({ rows, unset, nameOf }: FieldRowsProps) {
  return (
    <>
      {rows.length > 0 && (
        <dl className={styles.fields}>
          {rows.map(({ key, label, node }) => (
            <div key={key}>
              <dt dir="auto">{label}</dt>
              <dd>
                <Node node={node} nameOf={nameOf} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {unset.length > 0 && (
        <p className={styles.unset} dir="auto">
          Not set: {unset.join(', ')}
        </p>
      )}
    </>
  )
}

/** A thing by its name, with its id; by its id alone where nobody knows it. */
function EntityValue({ id, name }: Pick<EntityId, 'id'> & { name: EntityName | undefined }) {
  const text = String(id)
  if (name?.label === undefined || name.label === text) {
    return (
      <span className={styles.entity}>
        <code className={styles.onlyId}>{text}</code>
        {name?.isMissing === true && <Tag tone="ask">not found</Tag>}
      </span>
    )
  }
  return (
    <span className={styles.entity}>
      <strong dir="auto">{name.label}</strong>
      <code className={styles.id} title={text}>
        {text}
      </code>
    </span>
  )
}
