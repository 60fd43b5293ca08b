import {
  inputRequired,
  MissingRequiredClientCapabilityError,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { type FixtureTool, text } from './plain-tools.ts'

type Questions = NonNullable<Parameters<typeof inputRequired>[0]['inputRequests']>
type Answer = { action?: string; content?: Record<string, unknown> } & Record<string, unknown>
type Answers = Record<string, Answer | undefined>
type Tell = (answers: Answers) => string

export function form(message: string, properties: object, required: string[] = []) {
  const requestedSchema = { type: 'object', properties, required }
  return inputRequired.elicit({ message, requestedSchema } as never)
}

function sample(words: string, maxTokens: number) {
  const messages = [{ role: 'user', content: { type: 'text', text: words } }]
  return inputRequired.createMessage({ messages, maxTokens } as never)
}

const roots = () => inputRequired.listRoots()

function answersOf({ mcpReq }: ServerContext): Answers | undefined {
  return mcpReq.inputResponses as Answers | undefined
}

/** Asks, and answers with what `tell` makes of what was said. */
function asking(description: string, questions: Questions, tell: Tell): FixtureTool {
  return {
    description,
    call(_input, context) {
      const answers = answersOf(context)
      const isAnswered = answers && Object.keys(questions).every((key) => answers[key])
      return isAnswered ? text(tell(answers)) : inputRequired({ inputRequests: questions })
    },
  }
}

const name = { name: { type: 'string' } }
const confirm = { confirm: form('Please confirm', { ok: { type: 'boolean' } }, ['ok']) }

/** The state tells that it came back as it went. */
function stateful(description: string): FixtureTool {
  return {
    description,
    call(_input, context) {
      const answers = answersOf(context)
      const state = context.mcpReq.requestState<string>()
      if (answers?.['confirm'] && state !== undefined) {
        return text(state === 'round-1' ? 'state-ok' : 'state-bad')
      }
      return inputRequired({ inputRequests: confirm, requestState: 'round-1' })
    },
  }
}

const completed: Tell = ({ user }) =>
  `Elicitation completed: action=${user?.action}, content=${JSON.stringify(user?.content)}`

const options = ['option1', 'option2', 'option3']
const titled = (word: string) => [
  { const: 'value1', title: `First ${word}` },
  { const: 'value2', title: `Second ${word}` },
  { const: 'value3', title: `Third ${word}` },
]

/** Tools that ask their caller something, as the conformance suite wants them. */
export const askingTools: Record<string, FixtureTool> = {
  test_sampling: {
    description: 'Asks the model of its caller.',
    inputSchema: {
      type: 'object',
      properties: { prompt: { type: 'string' } },
      required: ['prompt'],
    },
    call({ prompt }, context) {
      const answer = answersOf(context)?.['answer']
      if (answer === undefined) {
        return inputRequired({ inputRequests: { answer: sample(String(prompt), 100) } })
      }
      return text(`LLM response: ${(answer.content as { text?: string } | undefined)?.text}`)
    },
  },
  test_elicitation: {
    description: 'Asks the person at the other end.',
    inputSchema: {
      type: 'object',
      properties: { message: { type: 'string' } },
      required: ['message'],
    },
    call({ message }, context) {
      const user = answersOf(context)?.['user']
      const properties = {
        username: { type: 'string', description: "User's response" },
        email: { type: 'string', description: "User's email address" },
      }
      if (user !== undefined) {
        const content = JSON.stringify(user.content)
        return text(`User response: action: ${user.action}, content: ${content}`)
      }
      const asked = { user: form(String(message), properties, ['username', 'email']) }
      return inputRequired({ inputRequests: asked })
    },
  },
  test_elicitation_sep1034_defaults: asking(
    'Asks with defaults in the form.',
    {
      user: form('Please review and update the form fields with defaults', {
        name: { type: 'string', description: 'User name', default: 'John Doe' },
        age: { type: 'integer', description: 'User age', default: 30 },
        score: { type: 'number', description: 'User score', default: 95.5 },
        status: {
          type: 'string',
          description: 'User status',
          enum: ['active', 'inactive', 'pending'],
          default: 'active',
        },
        verified: { type: 'boolean', description: 'Verification status', default: true },
      }),
    },
    completed,
  ),
  test_elicitation_sep1330_enums: asking(
    'Asks with every kind of choice in the form.',
    {
      user: form('Please select options from the enum fields', {
        untitledSingle: { type: 'string', description: 'Select one option', enum: options },
        titledSingle: {
          type: 'string',
          description: 'Select one option with titles',
          oneOf: titled('Option'),
        },
        legacyEnum: {
          type: 'string',
          description: 'Select one option (legacy)',
          enum: ['opt1', 'opt2', 'opt3'],
          enumNames: ['Option One', 'Option Two', 'Option Three'],
        },
        untitledMulti: {
          type: 'array',
          description: 'Select multiple options',
          minItems: 1,
          maxItems: 3,
          items: { type: 'string', enum: options },
        },
        titledMulti: {
          type: 'array',
          description: 'Select multiple options with titles',
          minItems: 1,
          maxItems: 3,
          items: { anyOf: titled('Choice') },
        },
      }),
    },
    completed,
  ),
  test_input_required_result_elicitation: asking(
    'Asks for a name.',
    { user_name: form('What is your name?', name, ['name']) },
    ({ user_name }) => `Hello, ${String(user_name?.content?.['name'])}!`,
  ),
  test_input_required_result_sampling: asking(
    'Asks a model a question.',
    { capital_question: sample('What is the capital of France?', 100) },
    ({ capital_question }) =>
      String((capital_question?.content as { text?: string } | undefined)?.text),
  ),
  test_input_required_result_list_roots: asking(
    'Asks for the folders of the client.',
    { client_roots: roots() },
    ({ client_roots }) => JSON.stringify(client_roots?.['roots']),
  ),
  test_input_required_result_request_state: stateful('Asks for a yes.'),
  test_input_required_result_tampered_state: stateful('Asks for a yes that may be forged.'),
  test_input_required_result_multiple_inputs: asking(
    'Asks three things at once.',
    {
      user_name: form('What is your name?', name, ['name']),
      greeting: sample('Generate a greeting', 50),
      client_roots: roots(),
    },
    (answers) => JSON.stringify(answers),
  ),
  test_input_required_result_multi_round: {
    description: 'Asks one thing after the other.',
    call(_input, context) {
      const answers = answersOf(context)
      const first = context.mcpReq.requestState<string>()
      if (first !== undefined && answers?.['step2']) {
        return text(`${first} likes ${String(answers['step2'].content?.['color'])}`)
      }
      if (answers?.['step1']) {
        const color = { color: { type: 'string' } }
        return inputRequired({
          inputRequests: { step2: form('Step 2: What is your favorite color?', color, ['color']) },
          requestState: String(answers['step1'].content?.['name']),
        })
      }
      return inputRequired({
        inputRequests: { step1: form('Step 1: What is your name?', name, ['name']) },
      })
    },
  },
  test_input_required_result_capabilities: {
    description: 'Asks only what its caller can answer.',
    call(_input, context) {
      const answers = answersOf(context)
      if (answers !== undefined) return text(JSON.stringify(answers))
      const declared = capabilitiesOf(context)
      const asked: Questions = {
        ...(declared['elicitation'] !== undefined && { user_name: form('Name?', name) }),
        ...(declared['sampling'] !== undefined && { greeting: sample('Generate a greeting', 50) }),
      }
      if (Object.keys(asked).length === 0) return text('Nothing to ask')
      return inputRequired({ inputRequests: asked })
    },
  },
  test_missing_capability: {
    description: 'Is for clients with a model only.',
    call(_input, context) {
      if (capabilitiesOf(context)['sampling'] !== undefined) return text('You have one')
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } })
    },
  },
  test_streaming_elicitation: {
    description: 'Asks after it has begun to stream.',
    async call(_input, context) {
      const user = answersOf(context)?.['user_name']
      if (user !== undefined) return text(`Hello, ${String(user.content?.['name'])}!`)
      const { mcpReq } = context
      const { _meta: meta } = mcpReq
      const progressToken = meta?.progressToken
      if (progressToken !== undefined) {
        const params = { progressToken, progress: 1, total: 2 }
        await mcpReq.notify({ method: 'notifications/progress', params })
      }
      return inputRequired({ inputRequests: { user_name: form('What is your name?', name) } })
    },
  },
}

function capabilitiesOf({ mcpReq }: ServerContext): Record<string, unknown> {
  const envelope: Record<string, unknown> = { ...mcpReq.envelope }
  const declared = envelope['io.modelcontextprotocol/clientCapabilities']
  return (declared ?? {}) as Record<string, unknown>
}
