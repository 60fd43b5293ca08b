import { Checkbox, Radio, Select, Stack } from '@mantine/core'
import type { JsonValue } from '../../api/json.ts'
import { useNames } from '../../api/use-names.ts'
import { useNow } from '../../ui/time.tsx'
import { fieldsToMatch, rememberTimes } from './remember-choice.ts'
import type { RememberChoice } from './remember-choice.ts'
import type { Approval } from './use-approvals.ts'
import { formatDateTime } from '../../ui/format/format-date-time.ts'
import styles from './approvals.module.css'

interface RememberProps {
  approval: Approval
  /** The input the call will run with, edits included. */
  input: JsonValue
  /** A destructive tool is never remembered by its name alone. */
  isDestructive: boolean
  /** The title of the tool. */
  title: string
  choice: RememberChoice
  onChange: (choice: RememberChoice) => void
}

/** Lets later calls run without approval: which ones and for how long. */
export function Remember(props: RememberProps) {
  const { approval, input, isDestructive, title, choice, onChange } = props
  const { agent } = approval.requestedBy
  const fields = fieldsToMatch(input)
  return (
    <div className={styles.remember}>
      <Checkbox
        label={`Remember this: let ${agent ?? 'this caller'} run ${title} without approval`}
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
              <Radio value="same" label="With exactly this input" />
              {fields.length > 1 && <Radio value="fields" label="When these fields are the same" />}
              {!isDestructive && <Radio value="any" label="With any input" />}
            </Stack>
          </Radio.Group>
          {choice.match === 'fields' && (
            <Checkbox.Group
              aria-label="Fields that must be the same"
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

interface RuleProps {
  approval: Approval
  choice: RememberChoice
  fields: readonly string[]
}

function RuleInWords({ approval, choice, fields }: RuleProps) {
  const now = useNow()
  const nameOf = useNames()
  const { agent, principal } = approval.requestedBy
  const name = nameOf(principal)
  const caller = name === 'you' ? 'You' : name
  const who = agent === undefined ? caller : `Agent ${agent}`
  const chosen = choice.fields.filter((name) => fields.includes(name))
  const which =
    choice.match === 'any'
      ? 'with any input'
      : choice.match === 'fields' && chosen.length > 0
        ? `if ${chosen.join(', ')} ${chosen.length === 1 ? 'is' : 'are'} the same`
        : 'with exactly this input'
  const ms = rememberTimes.find(({ value }) => value === choice.for)?.ms ?? 0
  return (
    <output className={styles.hint}>
      {who} can run {approval.tool} without approval, {which}, until {formatDateTime(now + ms)}. You
      can revoke this under Remembered.
    </output>
  )
}
