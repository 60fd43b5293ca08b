import { SegmentedControl } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import type { Api } from '../api/client.ts'
import type { JsonValue } from '../api/json.ts'
import { CopyJson } from './json/copy-json.tsx'
import { JsonTree } from './json/json-tree.tsx'
import { Part } from './parts.tsx'
import { planOutput } from './plan.ts'
import type { Planned } from './plan.ts'
import styles from './output.module.css'

interface OutputViewProps {
  value: JsonValue
  /** How the definition of the tool wants it shown. */
  tool?: Pick<Api<'ToolDetail'>, 'sections' | 'view' | 'outputSchema'> | undefined
  /** It is still running: more may come. */
  isPartial?: boolean
  /** Of which call it is: pictures and files of it lie there. */
  callId?: string
  /** Beside the switch, such as a link to the call. */
  actions?: ReactNode
}

/** The output of a tool, drawn by its definition and otherwise by its shape; or as JSON. */
export function OutputView({ value, tool, isPartial = false, callId, actions }: OutputViewProps) {
  const [look, setLook] = useState<'view' | 'json'>('view')
  const parts = useMemo(() => withWidths(planOutput(value, tool)), [value, tool])
  return (
    <div className={styles.output} aria-busy={isPartial || undefined}>
      <div className={styles.bar}>
        {isPartial && (
          <output className={styles.note}>Still running; more output may follow</output>
        )}
        <span className={styles.spread} />
        {actions}
        <SegmentedControl
          size="xs"
          aria-label="Show the output as"
          value={look}
          onChange={(next) => setLook(next === 'json' ? 'json' : 'view')}
          data={[
            { value: 'view', label: 'View' },
            { value: 'json', label: 'JSON' },
          ]}
        />
        <CopyJson value={value} label="Copy the output as JSON" />
      </div>
      {look === 'json' ? (
        <JsonTree value={value} label="Output as JSON" />
      ) : (
        <div className={styles.parts}>
          {parts.map(({ part, isWide }) => (
            <Part key={part.id} part={part} isWide={isWide} isPartial={isPartial} callId={callId} />
          ))}
        </div>
      )}
    </div>
  )
}

const narrow: ReadonlySet<string> = new Set(['chart', 'radar', 'ranking', 'image'])

/** Charts and rankings are placed side by side; everything else takes the whole width. */
function withWidths(parts: readonly Planned[]): { part: Planned; isWide: boolean }[] {
  let isSecond = false
  return parts.map((part, index) => {
    const next = parts[index + 1]
    const hasPartner = isSecond || (next !== undefined && narrow.has(next.kind))
    const isWide = !narrow.has(part.kind) || !hasPartner
    isSecond = !isWide && !isSecond
    return { part, isWide }
  })
}
