/** Toolcrib as a library: what `import … from 'toolcrib'` gives. */
export { z } from 'zod'
export { defineComposition } from '../core/define-composition.ts'
export { defineTool } from '../core/define-tool.ts'
export { definePack } from '../core/define-pack.ts'
export { definePrompt } from '../core/library/define-prompt.ts'
export { defineResource } from '../core/library/define-resource.ts'
export { contentOutput } from '../core/kernel/content.ts'
export { ToolError, errorCodes } from '../core/kernel/errors.ts'
export type { ErrorCode, Issue } from '../core/kernel/errors.ts'
export type {
  CallContext,
  CallError,
  CallRecord,
  CallStatus,
  Caller,
  Principal,
  Progress,
} from '../core/kernel/call.ts'
export type { ArtifactReference } from '../core/kernel/artifact-reference.ts'
export type {
  CompletedResult,
  FailedResult,
  PendingResult,
  TypedCallResult as CallResult,
  WaitingResult,
} from '../core/typing/call-result.ts'
export type { CallableTool, InputOf, OutputOf, ToolName } from '../core/kernel/callable-tool.ts'
export type { SecretDeclaration, ToolFactsInput } from '../core/typing/tool-facts.ts'
export type { CribApprovals, CribCalls } from '../core/crib-functions.ts'
export type { Approval, ApprovalRule, DecisionRequest } from '../core/approvals/approval.ts'
export type { CribApi } from '../features/crib-api.ts'
export type { ToolListing } from '../core/tools/tool-listing.ts'
export type {
  CallerClient,
  ClientAbility,
  ClientRequest,
} from '../core/kernel/context/caller-client.ts'
export type { ContentBlock, ContentOutput, ResourceContents } from '../core/kernel/content.ts'
export type { Prompt, PromptDefinition, LibraryContext } from '../core/library/define-prompt.ts'
export type { Resource, ResourceDefinition } from '../core/library/define-resource.ts'
export type { CribEvent, EventType } from '../core/events/event.ts'
export type { Payloads as EventPayloads } from '../features/declarations.ts'
export type { Explanation } from '../core/policy/scope.ts'
export type { FormSpec } from '../core/kernel/views/form-spec.ts'
export type {
  Effect,
  JsonSchema,
  JsonValue,
  Pack,
  Runtime,
  Tool,
  ToolContract,
} from '../core/kernel/tool.ts'
export type { CallFiles, OpenFile, WholeFile } from '../core/kernel/context/call-file.ts'
export type { Upload, UploadRequest } from '../core/uploads/upload.ts'
export type { ViewColumn, ViewSection, ViewSpec } from '../core/kernel/views/view-spec.ts'
export { defineConfig } from '../core/define-config.ts'
export type { ConfigInput } from '../core/typing/config-input.ts'
export type { Config } from './config/config-schema.ts'
export { createCrib } from './create-crib.ts'
export type { CallAs, CallOptions, Crib, CribOptions, PreviewOptions } from './crib.ts'
export type { CallPreview, PreviewChange, ToolPreview } from '../core/kernel/trial/tool-preview.ts'
export type { UndoByTool } from '../core/kernel/trial/tool-undo.ts'
export type { TestReport, TestResult } from '../core/trials/run-tests.ts'
export type { EvalReport } from '../features/evals/eval-report.ts'
export type { EvalResult, EvalAttempt } from '../core/trials/evals/run-evals.ts'
export type { EvaluatedCall } from '../core/trials/evals/eval-outcome.ts'
export type { ToolEval } from '../core/kernel/trial/tool-eval.ts'
export type { ToolTest } from '../core/kernel/trial/tool-test.ts'
export type {
  Schedule,
  ScheduleChange,
  ScheduleRequest,
  ScheduleRun,
} from '../features/schedules/schemas.ts'
