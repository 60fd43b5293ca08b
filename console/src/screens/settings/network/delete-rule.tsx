import { Modal } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { notifySuccess } from '../../../ui/notify.ts'
import { deleteNetworkRule } from './network-queries.ts'
import type { NetworkRule } from './network-types.ts'
import { withRule } from './rule-draft.ts'
import { RuleReview } from './rule-review.tsx'

interface DeleteRuleProps {
  rule: NetworkRule
  known: readonly NetworkRule[]
  onClose: () => void
}

/** Deletes a rule, once somebody has seen what that would change. */
export function DeleteRule({ rule, known, onClose }: DeleteRuleProps) {
  const queryClient = useQueryClient()
  const remove = useMutation({
    mutationFn: () => deleteNetworkRule(rule.id),
    async onSuccess() {
      notifySuccess(`Network rule ${rule.id} deleted`)
      onClose()
      await queryClient.invalidateQueries({ queryKey: ['network'] })
    },
  })
  return (
    <Modal opened onClose={onClose} size="lg" title={`Delete ${rule.id}?`}>
      <RuleReview
        rules={withRule(known, undefined, rule.id)}
        task={remove}
        confirmLabel="Delete"
        isDangerous
        backLabel="Cancel"
        onBack={onClose}
      />
    </Modal>
  )
}
