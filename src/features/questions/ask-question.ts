import { ToolError } from '../../core/kernel/errors.ts'
import type { JsonSchema, JsonValue } from '../../core/kernel/json.ts'
import { toDurationMs } from '../../core/kernel/duration.ts'
import { createId } from '../../core/kernel/ids.ts'
import { utf8Length } from '../../core/kernel/text/utf8.ts'
import { toPointer } from '../../core/kernel/json/json-pointer.ts'
import { type FormSpec, formSpec } from '../../core/kernel/views/form-spec.ts'
import type { NewQuestion } from '../../core/kernel/context/question-asker.ts'
import type { Capability, CapabilityCall } from '../../core/pipeline/capabilities/capability.ts'
import { findFormIssues } from '../../core/schema/form-issues.ts'
import { toJsonSchema } from '../../core/schema/to-json-schema.ts'
import { toJsonParser } from '../../core/schema/to-parser.ts'
import { createRedactor } from '../../core/secrets/redact.ts'
import { readSensitive } from '../../core/secrets/sensitive-of-call.ts'
import { findAddressees } from './addressees.ts'
import { nextReminder } from './life.ts'
import type { StoredQuestion } from './model.ts'
import type { QuestionParts } from './parts.ts'

const dayMs = 86_400_000
/** Half an hour less than `completionMs` of `flow.ask`: the question expires before its call does. */
const longestMs = 30 * dayMs - 1_800_000
const shortestReminderMs = 60_000
const defaultExpiresIn = '7d'
/** The whole question, with its schema and texts. */
const maxBytes = 131_072

/** Where no schema is given: one text. */
const plainSchema: JsonSchema = {
  type: 'object',
  properties: { answer: { type: 'string', title: 'Answer', minLength: 1, maxLength: 10_000 } },
  required: ['answer'],
  additionalProperties: false,
}

/** `ctx.questions`: stores the question that a call waits for. */
export function questionsCapability(parts: QuestionParts): Capability<'questions'> {
  return (call) => ({ ask: (question) => ask(question, call, parts) })
}

async function ask(
  asked: NewQuestion,
  { caller, callId, contract }: CapabilityCall,
  parts: QuestionParts,
): Promise<{ questionId: string }> {
  if (contract.execution !== 'external') throw notExternal(contract.name)
  const { tenant } = caller
  // Repeated after a crash: the first question counts, with its id and its deadline.
  const earlier = await parts.questions.findOfCall(tenant, callId)
  if (earlier !== undefined) return { questionId: earlier.id }
  const made = await toStored(asked, { caller, callId }, parts)
  const { id: questionId, title, to, createdMs: at, expiresMs } = made
  const expiresAt = new Date(expiresMs).toISOString()
  const data = { questionId, title, to: [...to], expiresAt }
  if (await parts.questions.ask(made, { type: 'question.asked', at, data })) return { questionId }
  const other = await parts.questions.findOfCall(tenant, callId)
  if (other !== undefined) return { questionId: other.id }
  throw new ToolError('cancelled', 'The call ended before its question was asked')
}

async function toStored(
  asked: NewQuestion,
  { caller, callId }: Pick<CapabilityCall, 'caller' | 'callId'>,
  parts: QuestionParts,
): Promise<StoredQuestion> {
  const form = checkForm(asked)
  const createdMs = parts.now()
  const { tenant, principal, agent, sessionId } = caller
  const timing = { createdMs, ...toTiming(asked, createdMs) }
  const shown = await withoutSecrets({ ...asked, ...form }, { tenant, callId }, parts)
  return {
    id: createId('qst'),
    tenant,
    callId,
    title: shown.title,
    text: shown.text,
    schema: shown.schema ?? plainSchema,
    form: shown.form as FormSpec | undefined,
    ...(await findAddressees(asked.to, caller, parts)),
    askedBy: { principal, ...(agent !== undefined && { agent }) },
    ...(sessionId !== undefined && { sessionId }),
    ...timing,
    remindMs: nextReminder(timing, createdMs),
    reminders: 0,
    onExpiry: shown.onExpiry,
    status: 'pending',
  }
}

/** The same checks as for the form of a tool: bounded, and every field that it names is there. */
function checkForm({
  schema: given,
  form,
  onExpiry,
  title,
  text,
}: NewQuestion): Pick<NewQuestion, 'schema' | 'onExpiry'> {
  const schema = toJsonSchema(given ?? plainSchema, 'input')
  const size = utf8Length(JSON.stringify({ schema, form, onExpiry, title, text }))
  if (size > maxBytes) {
    throw invalid('', `The question has ${size} bytes; it may have ${maxBytes}`)
  }
  if (form !== undefined) assertForm(form, schema)
  if (onExpiry === undefined) return { schema }
  const parsed = toJsonParser(schema)(onExpiry)
  if (parsed.ok) return { schema, onExpiry: parsed.value as JsonValue }
  throw new ToolError('invalid_input', 'The answer on expiry does not match the schema', {
    issues: parsed.issues.map(({ path, message }) => ({ path: `/onExpiry${path}`, message })),
  })
}

function assertForm(form: JsonValue, schema: JsonSchema): void {
  const parsed = formSpec.safeParse(form)
  const issues = parsed.success
    ? findFormIssues(parsed.data, schema)
    : parsed.error.issues.map(({ path, message }) => ({
        path: `/form${toPointer(path)}`,
        message,
      }))
  if (issues.length === 0) return
  throw new ToolError('invalid_input', 'The form does not match the schema', { issues })
}

function toTiming({ expiresIn = defaultExpiresIn, remindEvery }: NewQuestion, nowMs: number) {
  const lastsMs = toDurationMs(expiresIn)
  if (lastsMs === undefined || lastsMs > longestMs) {
    throw invalid('/expiresIn', 'must be a duration such as 2h or 7d, less than 30d')
  }
  const expiresMs = nowMs + lastsMs
  if (remindEvery === undefined) return { expiresMs }
  const remindEveryMs = toDurationMs(remindEvery)
  if (remindEveryMs === undefined || remindEveryMs < shortestReminderMs) {
    throw invalid('/remindEvery', 'must be a duration of at least one minute, such as 4h')
  }
  return { expiresMs, remindEveryMs }
}

/** Texts may come from another tool: what is secret to this call or those above it is not shown. */
async function withoutSecrets(
  { title, text, schema, form, onExpiry }: NewQuestion,
  { tenant, callId }: Pick<StoredQuestion, 'tenant' | 'callId'>,
  ports: QuestionParts,
): Promise<Omit<NewQuestion, 'to'>> {
  const shown = { title, text, schema, form, onExpiry }
  const call = await ports.calls.findWithInput(tenant, callId)
  const redactor = createRedactor(call === undefined ? {} : await readSensitive(call, ports))
  if (redactor.isEmpty) return shown
  const json = JSON.parse(JSON.stringify(shown)) as JsonValue
  return redactor.redactValue(json) as unknown as Omit<NewQuestion, 'to'>
}

function invalid(path: string, message: string): ToolError {
  const text = path === '' ? message : `${path.slice(1)} ${message}`
  return new ToolError('invalid_input', text, { issues: [{ path, message }] })
}

function notExternal(tool: string): ToolError {
  return new ToolError('tool_failed', `${tool} asks a question, but does not wait for an answer`, {
    fix: "Declare execution: 'external', or call flow.ask.",
  })
}
