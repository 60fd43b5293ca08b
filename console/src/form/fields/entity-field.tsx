import { Loader, MultiSelect, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { JsonValue } from '../../api/json.ts'
import { entityToolQuery, findEntities } from '../entities/entity-tool.ts'
import type { EntityTool } from '../entities/entity-tool.ts'
import { entityTypeOf } from '../entities/entity-type.ts'
import type { EntityType } from '../entities/entity-type.ts'
import { useEntityNames } from '../entities/use-entity-names.ts'
import { useForm } from '../form-context.ts'
import { schemaOfItem } from '../model/concrete.ts'
import { drawnAt, noPicks } from '../model/drawn.ts'
import { formatConstant } from '../model/labels/labels.ts'
import type { SchemaObject } from '../model/schema.ts'
import { ListField } from './list/list-field.tsx'
import { NumberField } from './number/number-field.tsx'
import { controlProps } from './piece.ts'
import type { PieceProps } from './piece.ts'
import { TextField } from './text-field.tsx'

/** An entity that another tool can search for. Without such a tool, a plain field. */
export function EntityField(piece: PieceProps) {
  const entity = entityTypeOf(useItemShape(piece)) ?? { type: '' }
  const tool = useQuery(entityToolQuery(entity))
  if (tool.isPending) return <EntityPicker piece={piece} entity={entity} tool={undefined} />
  if (tool.data === undefined || tool.data === null) return <PlainField piece={piece} />
  return <EntityPicker piece={piece} entity={entity} tool={tool.data} />
}

function PlainField({ piece }: { piece: PieceProps }) {
  if (piece.kind === 'entities') return <ListField {...piece} kind="list" />
  const isNumber =
    typeof piece.value === 'number' || /number|integer/.test(String(piece.drawn.schema['type']))
  return isNumber ? <NumberField {...piece} /> : <TextField {...piece} />
}

interface EntityPickerProps {
  piece: PieceProps
  entity: EntityType
  tool: EntityTool | undefined
}

function EntityPicker({ piece, entity, tool }: EntityPickerProps) {
  const { value, set, kind } = piece
  const held = (Array.isArray(value) ? value : [value])
    .filter((one) => one !== undefined && one !== null)
    .map((one) => JSON.stringify(one))
  const { data, found, search, open, remember } = useEntityOptions({ entity, tool, held })
  const common = {
    ...controlProps({ ...piece, error: piece.error ?? toMessage(found.error) }),
    data,
    searchable: true,
    onSearchChange: search,
    onDropdownOpen: open,
    // The tool has already searched.
    filter: ({ options }: { options: unknown[] }) => options as never,
    placeholder: piece.placeholder ?? 'Type to search',
    nothingFoundMessage: found.isFetching ? 'Searching…' : 'No matches',
    rightSection: found.isFetching ? <Loader size={14} /> : undefined,
    comboboxProps: { keepMounted: false },
  }
  if (kind === 'entities') {
    return (
      <MultiSelect
        {...common}
        value={held}
        onChange={(keys) => {
          remember(keys)
          set(keys.length === 0 && !piece.isRequired ? undefined : keys.map(parse))
        }}
      />
    )
  }
  return (
    <Select
      {...common}
      value={held[0] ?? null}
      clearable={!piece.isRequired || piece.drawn.isNullable}
      clearButtonProps={{ 'aria-label': `Clear ${piece.label}` }}
      onChange={(key) => {
        if (key !== null) remember([key])
        set(key === null ? undefined : parse(key))
      }}
    />
  )
}

interface EntitySearch {
  entity: EntityType
  tool: EntityTool | undefined
  /** The chosen ids, as JSON. */
  held: readonly string[]
}

/** The matches of the search and the chosen entities, each with its name. */
function useEntityOptions({ entity, tool, held }: EntitySearch) {
  const [typed, setTyped] = useState('')
  const [asked] = useDebouncedValue(typed, 250)
  const [isOpen, setOpen] = useState(false)
  const found = useQuery({
    queryKey: ['entities', tool?.name, asked],
    queryFn: () => (tool === undefined ? [] : findEntities(tool, asked)),
    enabled: tool !== undefined && isOpen,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    retry: false,
  })
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map())
  const options = (found.data ?? []).map(({ id, label }) => ({ value: JSON.stringify(id), label }))
  const listed = new Set(options.map((option) => option.value))
  const others = held.filter((key) => !listed.has(key))
  // Values that were set before the first search need a name, too.
  const { nameOf } = useEntityNames(others.map((key) => ({ entity, id: toId(key) })))
  const labelOf = (key: string) =>
    names.get(key) ?? nameOf({ entity, id: toId(key) })?.label ?? formatConstant(parse(key))
  const data = [...options, ...others.map((key) => ({ value: key, label: labelOf(key) }))]
  const remember = (keys: readonly string[]) => {
    const chosen = data.filter(({ value }) => keys.includes(value))
    setNames(new Map([...names, ...chosen.map(({ value, label }) => [value, label] as const)]))
  }
  return { data, found, search: setTyped, open: () => setOpen(true), remember }
}

const parse = (key: string) => JSON.parse(key) as JsonValue
const toId = (key: string) => JSON.parse(key) as string | number

function toMessage(error: Error | null): string | undefined {
  return error === null ? undefined : `The search failed: ${error.message}`
}

function useItemShape({ drawn, kind }: PieceProps): SchemaObject {
  const { model } = useForm().store
  if (kind === 'entity') return drawn.schema
  const place = { value: undefined, pointer: '', picks: noPicks }
  return drawnAt(model, schemaOfItem(drawn.schema, 0), place).schema
}
