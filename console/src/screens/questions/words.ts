import type { AskedQuestion } from './use-questions.ts'

/** The states of a question as people read them. */
export const statusWords: Readonly<Record<AskedQuestion['status'], string>> = {
  pending: 'Waiting',
  answered: 'Answered',
  declined: 'Declined',
  expired: 'Expired',
  withdrawn: 'Withdrawn',
}

/** The people asked: `role:operator` is every operator; members are shown by name. */
export function toAddressee(to: string, nameOf: (user: string) => string): string {
  if (to === 'requester') return 'the requester'
  const [, kind, name = ''] = /^(role|user):(.*)$/s.exec(to) ?? []
  if (kind === 'role') return `every ${name}`
  if (kind === 'user') return name.includes('@') ? name : nameOf(name)
  return to
}
