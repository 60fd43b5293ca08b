import { TagsInput, TextInput } from '@mantine/core'
import { AgentSelect } from '../../../ui/agent-select.tsx'
import { PackSelect } from './pack-select.tsx'
import type { RuleDraft } from './rule-draft.ts'

interface RuleFieldsProps {
  draft: RuleDraft
  faults: { id: string | undefined; allow: string | undefined; deny: string | undefined }
  isNew: boolean
  onChange: (change: Partial<RuleDraft>) => void
}

const hosts = { splitChars: [',', ' '], acceptValueOnBlur: true }

/** The fields of a network rule. Its name and whom it is for are chosen once. */
export function RuleFields({ draft, faults, isNew, onChange }: RuleFieldsProps) {
  return (
    <>
      {isNew && (
        <TextInput
          label="Name"
          description="Used in messages. Can’t be changed later."
          placeholder="no-trackers"
          value={draft.id}
          onChange={({ currentTarget }) => onChange({ id: currentTarget.value })}
          error={faults.id}
          data-autofocus
        />
      )}
      <AgentSelect
        label="Agent"
        description="Applies to calls of this agent and of agents that it asks."
        none="Every agent and person"
        agent={draft.agent}
        onChange={(agent) => onChange({ agent })}
      />
      <PackSelect
        pack={draft.pack}
        onChange={(pack) => onChange({ pack })}
        description="The rule applies to tools of this pack; code are tools of your own."
      />
      <TagsInput
        {...hosts}
        label="Allow"
        description="If any are listed, only these hosts can be reached: example.com, *.example.com, example.com:8443"
        value={draft.allow}
        onChange={(allow) => onChange({ allow })}
        error={faults.allow}
      />
      <TagsInput
        {...hosts}
        label="Deny"
        description="Hosts that are never reached, whatever allows them."
        value={draft.deny}
        onChange={(deny) => onChange({ deny })}
        error={faults.deny}
      />
      <TextInput
        label="Note"
        description="Why the rule exists."
        value={draft.note}
        maxLength={200}
        onChange={({ currentTarget }) => onChange({ note: currentTarget.value })}
        dir="auto"
      />
    </>
  )
}
