import { approvalStatuses } from '../../core/approvals/approval.ts'
import type { CommandGroup } from '../../core/operations/command-group.ts'
import type { approvalOperations } from './operations.ts'
import { approvalColumns, ruleColumns } from './terminal.ts'

/** `toolcrib approvals`. */
export const approvalCommand: CommandGroup<typeof approvalOperations> = {
  name: 'approvals',
  one: 'approval',
  summary: 'List and show approvals, and list and revoke approvals for later calls.',
  commands: {
    listApprovals: {
      verb: 'list',
      options: {
        status: {
          choices: [...approvalStatuses, 'all'],
          summary: `${approvalStatuses.join(', ')} or all (pending)`,
          default: 'pending',
          nullAs: 'all',
        },
      },
      pageSize: 50,
      list: approvalColumns,
      empty: ({ status }) =>
        status === 'pending' ? 'No call is waiting for approval.' : 'No approvals.',
      more: 'There are more; --limit 200 shows up to 200.',
    },
    listApprovalRules: {
      verb: 'rules',
      list: ruleColumns,
      empty: 'No calls are approved in advance.',
    },
    revokeApprovalRule: {
      verb: 'revoke',
      words: ['id'],
      options: { id: { flag: 'rule' } },
      done: 'revoked',
    },
  },
  notes: ['You can shorten an id as long as it is unambiguous, or use the id of the call.'],
  examples: ['toolcrib approvals', 'toolcrib approve appr_0199…', 'toolcrib approvals rules'],
}
