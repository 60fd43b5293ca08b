import type { Api } from '../../api/client.ts'
import type { JsonValue } from '../../api/json.ts'
import {
  describePlace,
  entitiesIn,
  modelOf,
  treeToText,
  toInputTree,
} from '../../input/input-tree.ts'
import type { FormModel } from '../../form/model/form-model.ts'
import { useEntityNames } from '../../form/entities/use-entity-names.ts'
import { entityTypeOf } from '../../form/entities/entity-type.ts'
import type { EntityId } from '../../form/entities/entity-type.ts'
import { difference } from './difference.ts'
import type { Change } from './difference.ts'
import styles from './approvals.module.css'

const shownAtMost = 50

interface ChangeListProps {
  tool: Pick<Api<'ToolDetail'>, 'inputSchema' | 'form'> | undefined
  before: JsonValue
  after: JsonValue
  /** The person who made the edit. */
  label?: string
}

/** The changes of an edit, by field and by entity, before anybody approves it. */
export function ChangeList({ tool, before, after, label = 'Your changes' }: ChangeListProps) {
  const model = modelOf(tool)
  const { nameOf } = useEntityNames([
    ...entitiesIn(toInputTree(model, before)),
    ...entitiesIn(toInputTree(model, after)),
  ])
  const changes = difference(before, after)
  if (changes.length === 0) return <p className={styles.hint}>No changes yet.</p>
  const say = (pointer: string) => (value: JsonValue) => {
    const said = formatConstant(model, { pointer, after }, value)
    return typeof said === 'string' ? said : (nameOf(said)?.label ?? String(said.id))
  }
  return (
    <section className={styles.changes} aria-label={label}>
      <span className={styles.label}>
        {changes.length === 1 ? '1 change' : `${changes.length} changes`}
      </span>
      <dl>
        {changes.slice(0, shownAtMost).map((change, index) => (
          <div key={index}>
            <dt dir="auto">{describePlace(model, after, change.pointer).label}</dt>
            <dd>
              <OneChange change={change} say={say(change.pointer)} />
            </dd>
          </div>
        ))}
      </dl>
      {changes.length > shownAtMost && (
        <span className={styles.hint}>and {changes.length - shownAtMost} more</span>
      )}
    </section>
  )
}

interface OneChangeProps {
  change: Change
  say: (value: JsonValue) => string
}

function OneChange({ change, say }: OneChangeProps) {
  const { kind, before, after } = change
  if (kind === 'moved') return <>Order changed</>
  if (kind === 'removed') {
    return (
      <>
        Removed: <del dir="auto">{say(before ?? null)}</del>
      </>
    )
  }
  if (kind === 'added') {
    return (
      <>
        Added: <ins dir="auto">{say(after ?? null)}</ins>
      </>
    )
  }
  return (
    <>
      <del dir="auto">{say(before ?? null)}</del>
      <span aria-hidden="true"> → </span>
      <span className="visually-hidden"> becomes </span>
      <ins dir="auto">{say(after ?? null)}</ins>
    </>
  )
}

/** A value as the form would show it, or the entity it refers to. */
function formatConstant(
  model: FormModel,
  { pointer, after }: Place,
  value: JsonValue,
): string | EntityId {
  const { schema: whole } = describePlace(model, after, pointer)
  // Added and removed items are listed at the list itself.
  const isOfList = whole['type'] === 'array' && !Array.isArray(value)
  const schema = isOfList ? describePlace(model, after, `${pointer}/0`).schema : whole
  const entity = entityTypeOf(schema)
  if (entity !== undefined && (typeof value === 'string' || typeof value === 'number')) {
    return { entity, id: value }
  }
  if (typeof value !== 'object') return cut(String(value))
  return treeToText(toInputTree(modelOf(undefined), value), () => undefined)
}

interface Place {
  pointer: string
  after: JsonValue
}

const longest = 300

function cut(text: string): string {
  if (text === '') return '(empty)'
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
