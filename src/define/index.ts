/**
 * For packages that only define tools: what `import … from 'toolcrib/define'` gives. Nothing of Node,
 * no store, no server: it can be bundled for browsers and edge runtimes.
 */
export { z } from 'zod'
export { contentOutput } from '../core/kernel/content.ts'
export { defineConfig } from '../core/define-config.ts'
export { definePack } from '../core/define-pack.ts'
export { defineComposition } from '../core/define-composition.ts'
export { defineTool } from '../core/define-tool.ts'
export { errorCodes, ToolError } from '../core/kernel/errors.ts'
export { definePrompt } from '../core/library/define-prompt.ts'
export { defineResource } from '../core/library/define-resource.ts'
export type { CallContext, Progress } from '../core/kernel/call.ts'
export type { ContentBlock, ContentOutput } from '../core/kernel/content.ts'
export type { ErrorCode, Issue } from '../core/kernel/errors.ts'
export type { FormSpec } from '../core/kernel/views/form-spec.ts'
export type { JsonSchema, JsonValue } from '../core/kernel/json.ts'
export type { Effect, Pack, Tool, ToolContract } from '../core/kernel/tool.ts'
export type { CallableTool, InputOf, OutputOf, ToolName } from '../core/kernel/callable-tool.ts'
export type { ConfigInput } from '../core/typing/config-input.ts'
export type { SecretDeclaration, ToolFactsInput } from '../core/typing/tool-facts.ts'
export type { ViewSpec } from '../core/kernel/views/view-spec.ts'
