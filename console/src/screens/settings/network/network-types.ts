import type { Api } from '../../../api/client.ts'

export type NetworkRule = Api<'NetworkRule'>
export type NetworkRules = Api<'NetworkRules'>
/** A rule as it is written. */
export type NamedRule = Api<'NetworkRulesRequest'>['rules'][number]
export type NetworkChange = Api<'NetworkPreview'>['items'][number]
export type HostVerdict = Api<'NetworkExplanation'>['levels'][number]
