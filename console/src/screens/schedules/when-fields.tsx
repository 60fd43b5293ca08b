import { Button, Input, SegmentedControl, Select, Stack, TextInput } from '@mantine/core'
import { toProblem } from '../../api/problem.ts'
import type { ApiProblem } from '../../api/problem.ts'
import { Times, useNextTimes } from './next-times.tsx'
import { describeCron, describeInterval } from './describe-schedule.ts'
import { hereZone, toWhenRequest } from './when-draft.ts'
import type { WhenDraft } from './when-draft.ts'
import styles from './schedules.module.css'

interface WhenFieldsProps {
  draft: WhenDraft
  onChange: (change: Partial<WhenDraft>) => void
}

const kinds = [
  { value: 'cron', label: 'Cron' },
  { value: 'every', label: 'Interval' },
  { value: 'at', label: 'Once' },
]

/** When a schedule runs: cron, interval or once, with a description and the next five runs. */
export function WhenFields({ draft, onChange }: WhenFieldsProps) {
  const isWhole = draft.kind !== 'at' || draft.at !== ''
  const preview = useNextTimes(isWhole ? toWhenRequest(draft) : undefined)
  const problem = preview.error === null ? undefined : toProblem(preview.error)
  const fault = (field: string) =>
    problem?.issues.find(({ pointer }) => pointer === `/when/${field}`)?.message
  return (
    <Stack gap="sm">
      <Input.Wrapper label="When" labelElement="div">
        <SegmentedControl
          fullWidth
          data={kinds}
          value={draft.kind}
          onChange={(kind) => onChange({ kind: kind as WhenDraft['kind'] })}
          aria-label="When"
        />
      </Input.Wrapper>
      {draft.kind === 'cron' && <CronFields {...{ draft, onChange }} fault={fault('cron')} />}
      {draft.kind === 'every' && <EveryFields {...{ draft, onChange }} fault={fault('every')} />}
      {draft.kind === 'at' && (
        <div className={styles.pair}>
          <TextInput
            type="datetime-local"
            label="Date and time"
            value={draft.at}
            onChange={({ currentTarget: { value } }) => onChange({ at: value })}
            error={fault('at')}
            required
          />
          <ZoneField {...{ draft, onChange }} />
        </div>
      )}
      {isWhole && <Preview draft={draft} times={preview.data?.times ?? []} problem={problem} />}
    </Stack>
  )
}

interface PreviewProps {
  draft: WhenDraft
  times: readonly string[]
  problem: ApiProblem | undefined
}

function Preview({ draft, times, problem }: PreviewProps) {
  // An error is shown at its field, if it has one.
  const isPlaced = problem?.issues.some(({ pointer }) => pointer === `/when/${draft.kind}`)
  return (
    <output className={styles.preview} aria-label="Next runs">
      {problem === undefined ? (
        <>
          <p>{describeDraft(draft)}</p>
          <Times times={times} timezone={draft.kind === 'every' ? undefined : draft.timezone} />
        </>
      ) : isPlaced === true ? (
        'Not a valid time yet.'
      ) : (
        problem.message
      )}
    </output>
  )
}

function describeDraft(draft: WhenDraft): string {
  if (draft.kind === 'every') return `Every ${describeInterval(draft.every)}`
  if (draft.kind === 'at') return 'Once'
  return describeCron(draft.cron) ?? 'Next runs'
}

interface KindFieldsProps extends WhenFieldsProps {
  fault: string | undefined
}

const cronPresets = [
  { label: 'Every weekday at 9', cron: '0 9 * * 1-5' },
  { label: 'Every day at 6', cron: '0 6 * * *' },
  { label: 'Every Monday at 9', cron: '0 9 * * 1' },
  { label: 'First of the month', cron: '0 9 1 * *' },
]

function CronFields({ draft, onChange, fault }: KindFieldsProps) {
  return (
    <>
      <div className={styles.pair}>
        <TextInput
          label="Cron expression"
          description="Minute, hour, day, month, weekday"
          value={draft.cron}
          onChange={({ currentTarget: { value } }) => onChange({ cron: value })}
          error={fault}
          spellCheck={false}
          autoComplete="off"
          required
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
        <ZoneField {...{ draft, onChange }} />
      </div>
      <div className={styles.presets}>
        {cronPresets.map(({ label, cron }) => (
          <Button
            key={cron}
            size="compact-xs"
            variant="default"
            onClick={() => onChange({ cron })}
            aria-pressed={draft.cron === cron}
          >
            {label}
          </Button>
        ))}
      </div>
    </>
  )
}

const stepPresets = ['5m', '15m', '1h', '6h', '1d', '7d']

function EveryFields({ draft, onChange, fault }: KindFieldsProps) {
  return (
    <>
      <TextInput
        label="Every"
        description="Such as 30s, 15m, 1h30m or 7d, starting now"
        value={draft.every}
        onChange={({ currentTarget: { value } }) => onChange({ every: value })}
        error={fault}
        spellCheck={false}
        autoComplete="off"
        required
      />
      <div className={styles.presets}>
        {stepPresets.map((every) => (
          <Button
            key={every}
            size="compact-xs"
            variant="default"
            onClick={() => onChange({ every })}
            aria-pressed={draft.every === every}
          >
            {describeInterval(every)}
          </Button>
        ))}
      </div>
    </>
  )
}

const zones = [...new Set([hereZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]

function ZoneField({ draft, onChange }: WhenFieldsProps) {
  const known = zones.includes(draft.timezone) ? zones : [draft.timezone, ...zones]
  return (
    <Select
      label="Time zone"
      description="The cron expression uses this time zone"
      data={known}
      value={draft.timezone}
      onChange={(timezone) => onChange({ timezone: timezone ?? hereZone })}
      searchable
      limit={50}
      allowDeselect={false}
      nothingFoundMessage="No such time zone"
    />
  )
}
