import { Button, Group, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { GuardedModal } from '../../../ui/dialog/guarded-dialog.tsx'
import { notifySuccess } from '../../../ui/notify.ts'
import { saveNetworkRule } from './network-queries.ts'
import type { NamedRule, NetworkRule } from './network-types.ts'
import { findNameFault, toDraft, toSpec, withRule } from './rule-draft.ts'
import type { RuleDraft } from './rule-draft.ts'
import { RuleFields } from './rule-fields.tsx'
import { RuleReview } from './rule-review.tsx'
import { findPatternFault } from './rule-words.ts'

interface RuleDialogProps {
  /** Undefined for a new one. */
  rule: NetworkRule | undefined
  known: readonly NetworkRule[]
  onClose: () => void
}

/** The form of a rule. The effect is previewed before saving. */
export function RuleDialog({ rule, known, onClose }: RuleDialogProps) {
  const [draft, setDraft] = useState(() => toDraft(rule))
  const [isReviewed, setReviewed] = useState(false)
  const spec = toSpec(draft)
  const save = useSave(spec, { version: rule?.version, onSaved: onClose })
  return (
    <GuardedModal
      opened
      onClose={onClose}
      size="lg"
      title={rule === undefined ? 'Add network rule' : `Edit ${rule.id}`}
    >
      {isReviewed ? (
        <RuleReview
          rules={withRule(known, spec, spec.id)}
          task={save}
          confirmLabel="Save"
          backLabel="Back"
          onBack={() => setReviewed(false)}
        />
      ) : (
        <Writing
          draft={draft}
          known={rule === undefined ? known : undefined}
          onChange={(change) => setDraft((before) => ({ ...before, ...change }))}
          onReview={() => setReviewed(true)}
          onClose={onClose}
        />
      )}
    </GuardedModal>
  )
}

interface Saving {
  version: number | undefined
  onSaved: () => void
}

function useSave(spec: NamedRule, { version, onSaved }: Saving) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => saveNetworkRule(spec, version),
    async onSuccess() {
      notifySuccess(`Network rule ${spec.id} saved`)
      onSaved()
      await queryClient.invalidateQueries({ queryKey: ['network'] })
    },
  })
}

interface WritingProps {
  draft: RuleDraft
  /** The rules whose names a new one may not have; undefined for a change. */
  known: readonly NetworkRule[] | undefined
  onChange: (change: Partial<RuleDraft>) => void
  onReview: () => void
  onClose: () => void
}

function Writing({ draft, known, onChange, onReview, onClose }: WritingProps) {
  const { id, allow, deny } = draft
  const faults = {
    id: known === undefined || id === '' ? undefined : findNameFault(id.trim(), known),
    allow: findPatternFault(allow),
    deny: findPatternFault(deny),
  }
  const isWhole = id !== '' && allow.length + deny.length > 0
  const isReady = isWhole && Object.values(faults).every((fault) => fault === undefined)
  const review = (event: FormEvent) => {
    event.preventDefault()
    if (isReady) onReview()
  }
  return (
    <form onSubmit={review} autoComplete="off">
      <Stack>
        <RuleFields draft={draft} faults={faults} isNew={known !== undefined} onChange={onChange} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!isReady}>
            Review
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
