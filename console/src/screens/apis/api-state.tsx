import { Tag } from '../../ui/tag.tsx'
import type { Tone } from '../../ui/tag.tsx'
import type { ImportedApi } from './api-queries.ts'

const states: Readonly<Record<ImportedApi['state'], { label: string; tone: Tone }>> = {
  ready: { label: 'Ready', tone: 'allow' },
  unread: { label: 'Not read yet', tone: 'ask' },
  disabled: { label: 'Disabled', tone: 'plain' },
  closed: { label: 'Closed', tone: 'deny' },
}

/** The state of an API. */
export function ApiStateTag({ state }: Pick<ImportedApi, 'state'>) {
  const { label, tone } = states[state]
  return <Tag tone={tone}>{label}</Tag>
}
