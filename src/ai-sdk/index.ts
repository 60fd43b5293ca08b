/** The tools of a crib as the AI SDK has them: what `import … from 'toolcrib/ai-sdk'` gives. */
export { createToolSet } from './create-tool-set.ts'
export type { CribToolSet, ToolSetOptions } from './create-tool-set.ts'
export type { Resumed, WaitingCall } from './resume-history.ts'
export type { ApprovalAnswer } from './tool-run.ts'
export type { SchemaFlavour } from './schemas/to-provider-schema.ts'
export { connectCrib } from './connect-crib.ts'
export type { ConnectOptions, RemoteCrib, RemoteToolSet } from './connect-crib.ts'
