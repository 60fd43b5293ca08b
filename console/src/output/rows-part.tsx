import { SegmentedControl } from '@mantine/core'
import { useMemo, useState } from 'react'
import { Chart } from './chart/chart.tsx'
import { mayChart, toChart } from './chart/chart-model.ts'
import type { ChartModel } from './chart/chart-model.ts'
import { DataTable } from './table/data-table.tsx'
import { JsonTree } from './json/json-tree.tsx'
import { PartFrame } from './part-frame.tsx'
import type { Planned } from './plan.ts'
import { Ranking } from './chart/ranking.tsx'
import { toRanking } from './chart/ranking-model.ts'
import type { RankingModel } from './chart/ranking-model.ts'
import { TableActions } from './table/table-actions.tsx'
import { toTable } from './table/table-model.ts'
import type { TableModel } from './table/table-model.ts'
import styles from './output.module.css'

interface RowsPartProps {
  part: Planned
  label: string
  isWide: boolean
}

type Look = 'table' | 'chart' | 'ranking'

/** All that a list of rows can be looked at as. */
interface Models {
  table: TableModel | undefined
  chart: ChartModel | undefined
  ranking: RankingModel | undefined
}

/** Rows: as what was planned, and always as a table too. */
export function RowsPart({ part, label, isWide }: RowsPartProps) {
  const [picked, setPicked] = useState<Look>()
  const models = useMemo(() => toModels(part), [part])
  const { table, chart, ranking } = models
  if (table === undefined) return <JsonTree value={part.value} label={label} />
  const looks = (['ranking', 'chart', 'table'] as const).filter((one) => models[one] !== undefined)
  const look = [picked, toLook(part.kind)].find((one) => looks.some((other) => other === one))
  return (
    <PartFrame
      part={part}
      isWide={isWide}
      actions={
        <>
          {looks.length > 1 && (
            <LookSwitch label={label} looks={looks} look={look ?? 'table'} onChange={setPicked} />
          )}
          {(look ?? 'table') === 'table' && <TableActions table={table} label={label} />}
        </>
      }
    >
      {(look ?? 'table') === 'table' && <DataTable table={table} label={label} />}
      {look === 'chart' && chart !== undefined && (
        <div className={styles.box}>
          <Chart model={chart} label={label} />
        </div>
      )}
      {look === 'ranking' && ranking !== undefined && (
        <div className={styles.box}>
          <Ranking model={ranking} label={label} />
        </div>
      )}
    </PartFrame>
  )
}

function toLook(kind: Planned['kind']): Look {
  if (kind === 'ranking' || kind === 'table') return kind
  return 'chart'
}

function toModels({ value, columns, chart, ranking, kind }: Planned): Models {
  const wanted = toLook(kind)
  const isDrawn = wanted === 'chart' || (wanted === 'table' && mayChart(value, columns))
  return {
    table: toTable(value, columns),
    ranking: wanted === 'ranking' ? toRanking(value, { ranking, columns }) : undefined,
    chart: isDrawn
      ? toChart(value, { chart, columns, ...(kind === 'radar' && { kind: 'radar' }) })
      : undefined,
  }
}

const lookWords: Record<Look, string> = { table: 'Table', chart: 'Chart', ranking: 'Ranking' }

interface LookSwitchProps {
  label: string
  looks: readonly Look[]
  look: Look
  onChange: (look: Look) => void
}

function LookSwitch({ label, looks, look, onChange }: LookSwitchProps) {
  return (
    <SegmentedControl
      size="xs"
      aria-label={`Show ${label} as`}
      value={look}
      onChange={onChange}
      data={looks.map((one) => ({ value: one, label: lookWords[one] }))}
    />
  )
}
