import type { TerminalRecord } from '../../core/operations/command-spec.ts'
import type { NetworkExplanation, NetworkRulesView, NetworkRuleView } from './schemas.ts'

/** All rules, the tenant's own first. */
export const rulesRecord: TerminalRecord<NetworkRulesView> = {
  fields: [],
  table: {
    columns: [
      { title: 'rule' },
      { title: 'for', shrinkTo: 8 },
      { title: 'allow', shrinkTo: 12 },
      { title: 'deny', shrinkTo: 12 },
      { title: 'set by', shrinkTo: 8 },
    ],
    rows: ({ rules, defaults }) => [...rules, ...defaults].map(toRow),
    empty: 'No rules. → toolcrib network set NAME --allow api.example.com',
  },
}

/** The verdict about a host, level by level. */
export const explanationRecord: TerminalRecord<NetworkExplanation> = {
  title: ({ host, port }) => `${host}:${port}`,
  fields: [
    {
      title: 'verdict',
      text: ({ verdict }) => verdict,
      tone: ({ verdict }) => (verdict === 'allow' ? 'good' : 'bad'),
    },
    { title: 'rule', text: ({ rule, id }) => (id === undefined ? rule : `${rule} (${id})`) },
    { title: 'level', text: ({ level }) => level },
    { title: 'set by', text: ({ setBy }) => setBy },
  ],
  table: {
    columns: [{ title: 'level' }, { title: 'verdict' }, { title: 'rule', shrinkTo: 20 }],
    rows: ({ levels }) => levels.map(({ level, verdict, rule }) => [level, verdict, rule]),
    empty: 'No levels.',
    isApart: true,
  },
}

function toRow({ id, agent, pack, allow, deny, setBy, closed }: NetworkRuleView): string[] {
  const scope = [
    ...(agent === undefined ? [] : [`agent ${agent}`]),
    ...(pack === undefined ? [] : [`pack ${pack}`]),
  ]
  const hosts = allow.length + deny.length === 0 ? 'nothing' : allow.join(' ')
  const allowed = closed === undefined ? hosts : 'nothing: cannot be read'
  return [id, scope.join(', ') || 'all tools', allowed, deny.join(' '), setBy]
}
