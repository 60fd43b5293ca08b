import { Checkbox, Radio, Select, Stack } from '@mantine/core'
import type { JsonValue } from '../../api/json.ts'
import { useNow } from '../../ui/time.tsx'
import { fieldsToMatch, rememberTimes } from './remember-choice.ts'
import type { RememberChoice } from './remember-choice.ts'
import type { Approval } from './use-approvals.ts'
import { locale } from '../../ui/locale.ts'
import styles from './approvals.module.css'

interface RememberProps {
  approval: Approval
  /** What the call will run with, edits included. */
  input: JsonValue
  /** A destructive tool is never let through by its name alone. */
  isDestructive: boolean
  choice: RememberChoice
  onChange: (choice: RememberChoice) => void
}

/** Lets like calls through without asking: which, for how long, and said in a sentence. */
export function Remember({ approval, input, isDestructive, choice, onChange }: RememberProps) {
  const { agent } = approval.requestedBy
  const fields = fieldsToMatch(input)
  return (
    <div className={styles.remember}>
      <Checkbox
        label={`Don’t ask again for like calls of ${approval.tool}${agent === undefined ? '' : ` by ${agent}`}`}
        checked={choice.isOn}
        onChange={(event) => onChange({ ...choice, isOn: event.currentTarget.checked })}
      />
      {choice.isOn && (
        <div className={styles.rememberMore}>
          <Radio.Group
            label="Which calls"
            value={choice.match}
            onChange={(match) => onChange({ ...choice, match })}
          >
            <Stack gap={6} mt={4}>
              <Radio value="same" label="With exactly these arguments" />
              {fields.length > 1 && (
                <Radio value="fields" label="Where these arguments are the same" />
              )}
              {!isDestructive && <Radio value="any" label="With any arguments" />}
            </Stack>
          </Radio.Group>
          {choice.match === 'fields' && (
            <Checkbox.Group
              aria-label="Arguments that have to be the same"
              value={[...choice.fields]}
              onChange={(chosen) => onChange({ ...choice, fields: chosen })}
            >
              <div className={styles.fieldChoices}>
                {fields.map((name) => (
                  <Checkbox key={name} value={name} label={name} size="xs" />
                ))}
              </div>
            </Checkbox.Group>
          )}
          <Select
            label="For"
            w={160}
            data={rememberTimes.map(({ value, label }) => ({ value, label }))}
            value={choice.for}
            allowDeselect={false}
            onChange={(value) => onChange({ ...choice, for: value ?? choice.for })}
          />
          <RuleInWords approval={approval} choice={choice} fields={fields} />
        </div>
      )}
    </div>
  )
}

const absolute = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })

interface RuleProps {
  approval: Approval
  choice: RememberChoice
  fields: readonly string[]
}

function RuleInWords({ approval, choice, fields }: RuleProps) {
  const now = useNow()
  const { agent, principal } = approval.requestedBy
  const who = agent === undefined ? `${principal.kind} ${principal.id}` : `Agent ${agent}`
  const chosen = choice.fields.filter((name) => fields.includes(name))
  const which =
    choice.match === 'any'
      ? 'with any arguments'
      : choice.match === 'fields' && chosen.length > 0
        ? `as long as ${chosen.join(', ')} stay${chosen.length === 1 ? 's' : ''} as above`
        : 'with exactly these arguments'
  const ms = rememberTimes.find(({ value }) => value === choice.for)?.ms ?? 0
  return (
    <output className={styles.hint}>
      {who} may then call {approval.tool} without asking, {which}, until {absolute.format(now + ms)}
      . You can revoke it under Remembered.
    </output>
  )
}
