import type { Api } from '../../../api/client.ts'

export type Member = Api<'Member'>
